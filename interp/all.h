// All public headers of interp/ that need neither libtorch nor Graphviz. Made by
// scripts/umbrella_headers.py.
#pragma once

#include "fx/interp/call.h"
#include "fx/interp/constant_evaluator.h"
#include "fx/interp/data_name.h"
#include "fx/interp/graph_guards.h"
#include "fx/interp/interpreter.h"
#include "fx/interp/interpreter_impl.h"
#include "fx/interp/lockstep.h"
#include "fx/interp/match_nodes.h"
#include "fx/interp/module_inputs.h"
#include "fx/interp/plan.h"
#include "fx/interp/profile.h"
#include "fx/interp/python_numbers.h"
#include "fx/interp/shared_inputs.h"
#include "fx/interp/size_checks.h"
#include "fx/interp/transformer.h"
