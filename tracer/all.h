// All public headers of tracer/ that need neither libtorch nor Graphviz. Made by
// scripts/umbrella_headers.py.
#pragma once

#include "fx/tracer/control_flow.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/generated/tensor_methods.h"
#include "fx/tracer/math.h"
#include "fx/tracer/nn/layer_graph.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/nn/nn_options.h"
#include "fx/tracer/nn_module.h"
#include "fx/tracer/operand.h"
#include "fx/tracer/proxy.h"
#include "fx/tracer/shaped_tracer.h"
#include "fx/tracer/structure.h"
#include "fx/tracer/trace_inline.h"
#include "fx/tracer/tracer.h"
#include "fx/tracer/tracer_base.h"
#include "fx/tracer/wrap.h"
