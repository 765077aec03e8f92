// The operators of PyTorch 2.13.0: scan.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kScanRows[] = {
    {"aten::_cummax_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()"},
    {"aten::_cummin_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()"},
    {"aten::_logcumsumexp(Tensor self, int dim) -> Tensor"},
    {"aten::_logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)"},
    {"aten::cummax.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> "
     "(Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::cummaxmin_backward(Tensor grad, Tensor input, Tensor indices, int dim) -> Tensor",
     kComposite},
    {"aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)"},
    {"aten::cummin.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> "
     "(Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"},
    {"aten::cumprod.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)"},
    {"aten::cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor",
     kComposite},
    {"aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", kCore},
    {"aten::cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)"},
    {"aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", kComposite},
    {"aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", kComposite},
    {"aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> "
     "Tensor", kComposite},
    {"aten::diff.out(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None, "
     "*, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int "
     "edge_order=1) -> Tensor[]", kComposite},
    {"aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> "
     "Tensor[]", kComposite},
    {"aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]", kComposite},
    {"aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int "
     "edge_order=1) -> Tensor[]", kComposite},
    {"aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int edge_order=1)"
     " -> Tensor[]", kComposite},
    {"aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int "
     "edge_order=1) -> Tensor[]", kComposite},
    {"aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) ->"
     " Tensor[]", kComposite},
    {"aten::logcumsumexp(Tensor self, int dim) -> Tensor"},
    {"aten::logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", kComposite},
    {"aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", kComposite},
    {"aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", kComposite},
    {"aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor", kComposite},
};

extern const std::span<const OpInfo> kScanOps;
constinit const std::span<const OpInfo> kScanOps(kScanRows);

}  // namespace fx::ops
