// Declarations that every code fragment of docs/*.md may use (tests/docs_code.py wraps each
// fragment in a function). Each page lists the headers that its code includes once, at the top.
#pragma once

#include "fx/interp/interpreter.h"
#include "fx/interp/lockstep.h"
#include "fx/interp/profile.h"
#include "fx/interp/transformer.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/files/binary.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/listing.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/analysis/selection.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/decompose/decompose.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/passes/partition/partitioner.h"
#include "fx/passes/rewrite/matchers.h"
#include "fx/passes/rewrite/replace_traced.h"
#include "fx/passes/rewrite/rule_set.h"
#include "fx/passes/shape/check/shape_signatures.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/passes/shape/type_updater.h"
#include "fx/tracer/control_flow.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/shaped_tracer.h"
#include "fx/tracer/tracer.h"
#include "fx/tracer/wrap.h"

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
