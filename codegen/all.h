// All public headers of codegen/ that need neither libtorch nor Graphviz. Made by
// scripts/umbrella_headers.py.
#pragma once

#include "fx/codegen/cpp/cpp.h"
#include "fx/codegen/cpp/project/folder.h"
#include "fx/codegen/dot/dot.h"
#include "fx/codegen/dot/dot_writer.h"
#include "fx/codegen/escape.h"
#include "fx/codegen/html/diff_html.h"
#include "fx/codegen/mlir/mlir.h"
#include "fx/codegen/networkx/networkx.h"
#include "fx/codegen/plot/memory_plot.h"
#include "fx/codegen/python/python.h"
