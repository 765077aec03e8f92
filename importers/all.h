// All public headers of importers/ that need neither libtorch nor Graphviz. Made by
// scripts/umbrella_headers.py.
#pragma once

#include "fx/importers/onnx/onnx.h"
#include "fx/importers/onnx/read_onnx.h"
#include "fx/importers/program_file.h"
#include "fx/importers/pt2/archive/npz.h"
#include "fx/importers/pt2/pt2.h"
#include "fx/importers/pt2/state_dict.h"
#include "fx/importers/pt2/write/write_pt2.h"
