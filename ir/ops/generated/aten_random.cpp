// The operators of PyTorch 2.13.0: random.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kRandomRows[] = {
    {"aten::_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor"},
    {"aten::_dirichlet_grad.out(Tensor x, Tensor alpha, Tensor total, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_fused_dropout.out(Tensor self, float p, Generator? generator=None, *, Tensor(a!) "
     "out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", kRandom},
    {"aten::_fused_dropout(Tensor self, float p, Generator? generator=None) -> (Tensor, Tensor)",
     kRandom},
    {"aten::_philox_key_fold_in(Tensor key, int data) -> Tensor"},
    {"aten::_philox_key_split(Tensor key, int num_splits) -> Tensor"},
    {"aten::_philox_normal(Tensor self, Tensor key, float mean=0., float std=1.) -> Tensor"},
    {"aten::_philox_normal.out(Tensor self, Tensor key, float mean=0., float std=1., *, Tensor(a!)"
     " out) -> Tensor(a!)"},
    {"aten::_philox_normal_(Tensor(a!) self, Tensor key, float mean=0., float std=1.) -> "
     "Tensor(a!)"},
    {"aten::_philox_uniform(Tensor self, Tensor key, float low=0., float high=1.) -> Tensor"},
    {"aten::_philox_uniform.out(Tensor self, Tensor key, float low=0., float high=1., *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_philox_uniform_(Tensor(a!) self, Tensor key, float low=0., float high=1.) -> "
     "Tensor(a!)"},
    {"aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor", kRandom},
    {"aten::_sample_dirichlet.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> "
     "Tensor(a!)", kRandom},
    {"aten::_sobol_engine_draw(Tensor quasi, int n, Tensor sobolstate, int dimension, int "
     "num_generated, ScalarType? dtype) -> (Tensor, Tensor)", kComposite},
    {"aten::_sobol_engine_ff_(Tensor(a!) self, int n, Tensor sobolstate, int dimension, int "
     "num_generated) -> Tensor(a!)", kComposite},
    {"aten::_sobol_engine_initialize_state_(Tensor(a!) self, int dimension) -> Tensor(a!)",
     kComposite},
    {"aten::_sobol_engine_scramble_(Tensor(a!) self, Tensor ltm, int dimension) -> Tensor(a!)",
     kComposite},
    {"aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor", kRandom},
    {"aten::_standard_gamma.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> "
     "Tensor(a!)", kRandom},
    {"aten::_standard_gamma_grad(Tensor self, Tensor output) -> Tensor"},
    {"aten::_standard_gamma_grad.out(Tensor self, Tensor output, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::alpha_dropout(Tensor input, float p, bool train) -> Tensor",
     kComposite | kRandom | kMayAlias},
    {"aten::alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
     kComposite | kRandom},
    {"aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor", kRandom},
    {"aten::bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)",
     kRandom},
    {"aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor", kRandom},
    {"aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor",
     kRandom},
    {"aten::bernoulli.Tensor_out(Tensor self, Tensor p, *, Generator? generator=None, Tensor(a!) "
     "out) -> Tensor(a!)", kRandom},
    {"aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!)"
     " out) -> Tensor(a!)", kRandom},
    {"aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> "
     "Tensor(a!)", kRandom},
    {"aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> "
     "Tensor(a!)", kRandom},
    {"aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor", kRandom},
    {"aten::binomial.out(Tensor count, Tensor prob, Generator? generator=None, *, Tensor(a!) out) "
     "-> Tensor(a!)", kRandom},
    {"aten::cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> "
     "Tensor", kRandom},
    {"aten::cauchy.out(Tensor self, float median=0., float sigma=1., *, Generator? generator=None,"
     " Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::cauchy_(Tensor(a!) self, float median=0., float sigma=1., *, Generator? "
     "generator=None) -> Tensor(a!)", kRandom},
    {"aten::dropout(Tensor input, float p, bool train) -> Tensor",
     kComposite | kRandom | kMayAlias},
    {"aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", kComposite | kRandom},
    {"aten::exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor",
     kRandom},
    {"aten::exponential.out(Tensor self, float lambd=1., *, Generator? generator=None, Tensor(a!) "
     "out) -> Tensor(a!)", kRandom},
    {"aten::exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> "
     "Tensor(a!)", kRandom},
    {"aten::feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor",
     kComposite | kRandom | kMayAlias},
    {"aten::feature_alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
     kComposite | kRandom},
    {"aten::feature_dropout(Tensor input, float p, bool train) -> Tensor",
     kComposite | kRandom | kMayAlias},
    {"aten::feature_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
     kComposite | kRandom},
    {"aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor", kRandom},
    {"aten::geometric.out(Tensor self, float p, *, Generator? generator=None, Tensor(a!) out) -> "
     "Tensor(a!)", kRandom},
    {"aten::geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)",
     kRandom},
    {"aten::log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> "
     "Tensor", kRandom},
    {"aten::log_normal.out(Tensor self, float mean=1., float std=2., *, Generator? generator=None,"
     " Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::log_normal_(Tensor(a!) self, float mean=1., float std=2., *, Generator? "
     "generator=None) -> Tensor(a!)", kRandom},
    {"aten::multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? "
     "generator=None) -> Tensor", kRandom},
    {"aten::multinomial.out(Tensor self, SymInt num_samples, bool replacement=False, *, Generator?"
     " generator=None, Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)",
     kCore | kRandom},
    {"aten::native_dropout.out(Tensor input, float p, bool? train, *, Tensor(a!) out0, Tensor(b!) "
     "out1) -> (Tensor(a!), Tensor(b!))", kRandom},
    {"aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor",
     kPointwise},
    {"aten::native_dropout_backward.out(Tensor grad_output, Tensor mask, float scale, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor",
     kRandom},
    {"aten::normal.Tensor_float_out(Tensor mean, float std=1., *, Generator? generator=None, "
     "Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::normal.float_Tensor_out(float mean, Tensor std, *, Generator? generator=None, "
     "Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor",
     kRandom},
    {"aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor",
     kRandom},
    {"aten::normal.Tensor_Tensor_out(Tensor mean, Tensor std, *, Generator? generator=None, "
     "Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None,"
     " ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) ->"
     " Tensor", kRandom},
    {"aten::normal.float_float_out(float mean, float std, SymInt[] size, *, Generator? "
     "generator=None, Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, "
     "Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) ->"
     " Tensor(a!)", kRandom},
    {"aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? "
     "generator=None) -> Tensor", kRandom},
    {"aten::poisson(Tensor self, Generator? generator=None) -> Tensor", kRandom},
    {"aten::poisson.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)",
     kRandom},
    {"aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor", kCore | kRandom},
    {"aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout?"
     " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kRandom},
    {"aten::rand.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::rand.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> "
     "Tensor(a!)", kComposite | kRandom},
    {"aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", kRandom},
    {"aten::rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
     "memory_format=None) -> Tensor", kRandom},
    {"aten::rand_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
     "Tensor(a!)", kRandom},
    {"aten::rand_like.generator_out(Tensor self, *, Generator? generator, MemoryFormat? "
     "memory_format=None, Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor", kRandom},
    {"aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? "
     "dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     kRandom},
    {"aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kRandom},
    {"aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator,"
     " ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
     "Tensor", kRandom},
    {"aten::randint.out(SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::randint.generator_out(SymInt high, SymInt[] size, *, Generator? generator, Tensor(a!) "
     "out) -> Tensor(a!)", kRandom},
    {"aten::randint.low_out(SymInt low, SymInt high, SymInt[] size, *, Tensor(a!) out) -> "
     "Tensor(a!)", kRandom},
    {"aten::randint.low_generator_out(SymInt low, SymInt high, SymInt[] size, *, Generator? "
     "generator, Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None,"
     " Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     kRandom},
    {"aten::randint_like.Tensor(Tensor self, Tensor high, *, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) "
     "-> Tensor", kRandom},
    {"aten::randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? "
     "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
     "memory_format=None) -> Tensor", kRandom},
    {"aten::randint_like.generator(Tensor self, SymInt high, *, Generator? generator, ScalarType? "
     "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
     "memory_format=None) -> Tensor", kRandom},
    {"aten::randint_like.Tensor_generator(Tensor self, Tensor high, *, Generator? generator, "
     "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
     "MemoryFormat? memory_format=None) -> Tensor", kRandom},
    {"aten::randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, Generator? "
     "generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
     "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", kRandom},
    {"aten::randint_like.out(Tensor self, SymInt high, *, MemoryFormat? memory_format=None, "
     "Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::randint_like.generator_out(Tensor self, SymInt high, *, Generator? generator, "
     "MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::randint_like.Tensor_out(Tensor self, Tensor high, *, MemoryFormat? memory_format=None,"
     " Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::randint_like.Tensor_generator_out(Tensor self, Tensor high, *, Generator? generator, "
     "MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::randint_like.low_dtype_out(Tensor self, SymInt low, SymInt high, *, MemoryFormat? "
     "memory_format=None, Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::randint_like.low_generator_dtype_out(Tensor self, SymInt low, SymInt high, *, "
     "Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
     kRandom},
    {"aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor", kCore | kRandom},
    {"aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kRandom},
    {"aten::randn.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", kComposite | kRandom},
    {"aten::randn.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> "
     "Tensor(a!)", kComposite | kRandom},
    {"aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", kRandom},
    {"aten::randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
     "memory_format=None) -> Tensor", kRandom},
    {"aten::randn_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
     "Tensor(a!)", kRandom},
    {"aten::randn_like.generator_out(Tensor self, *, Generator? generator, MemoryFormat? "
     "memory_format=None, Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor",
     kRandom},
    {"aten::random.from_out(Tensor self, int from, int? to, *, Generator? generator=None, "
     "Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor", kRandom},
    {"aten::random.to_out(Tensor self, int to, *, Generator? generator=None, Tensor(a!) out) -> "
     "Tensor(a!)", kRandom},
    {"aten::random(Tensor self, *, Generator? generator=None) -> Tensor", kRandom},
    {"aten::random.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)",
     kRandom},
    {"aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> "
     "Tensor(a!)", kRandom},
    {"aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)",
     kRandom},
    {"aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)", kRandom},
    {"aten::randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, "
     "bool? pin_memory=None) -> Tensor", kCore | kRandom},
    {"aten::randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=4, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kRandom},
    {"aten::randperm.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::randperm.generator_out(SymInt n, *, Generator? generator, Tensor(a!) out) -> "
     "Tensor(a!)", kRandom},
    {"aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> "
     "Tensor", kRandom},
    {"aten::uniform.out(Tensor self, float from=0., float to=1., *, Generator? generator=None, "
     "Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) ->"
     " Tensor(a!)", kRandom},
};

extern const std::span<const OpInfo> kRandomOps;
constinit const std::span<const OpInfo> kRandomOps(kRandomRows);

}  // namespace fx::ops
