// Higher-order operators: they run the graphs or operators among their arguments.
//
// kSubgraphs means that a call has the effects of the graphs among its arguments in addition to the
// effects of the row.
#include "fx/ir/ops/op_rows_internal.h"

namespace fx::ops {
namespace {

constinit const OpInfo kHigherOrderRows[] = {
    // Control flow.
    {"higher_order.associative_scan(Any combine_fn, Any xs, Any additional_inputs) -> Any",
     kSubgraphs},
    {"higher_order.cond(Any pred, Any true_fn, Any false_fn, Any operands) -> Any", kSubgraphs},
    {"higher_order.map_impl(Any f, Any xs, Any pos_args) -> Any", kSubgraphs},
    {"higher_order.scan(Any combine_fn, Any init, Any xs, Any additional_inputs) -> Any",
     kSubgraphs},
    {"higher_order.while_loop(Any cond_fn, Any body_fn, Any carried_inputs, "
     "Any additional_inputs) -> Any",
     kSubgraphs},
    {"higher_order.while_loop_stack_output(Any cond_fn, Any body_fn, Any carried_inputs, "
     "Any additional_inputs) -> Any",
     kSubgraphs},

    // Calls to a graph.
    {"higher_order.autograd_function_apply(...) -> ...", kSubgraphs},
    {"higher_order.dynamo_bypassing_wrapper(...) -> ...", kSubgraphs},
    {"higher_order.foreach_map(...) -> ...", kSubgraphs},
    {"higher_order.hints_wrapper(...) -> ...", kSubgraphs},
    {"higher_order.invoke_quant(...) -> ...", kSubgraphs},
    {"higher_order.invoke_quant_packed(...) -> ...", kSubgraphs},
    {"higher_order.invoke_subgraph(Any subgraph, Any identifier, ...) -> ...", kSubgraphs},
    {"higher_order.local_map_hop(...) -> ...", kSubgraphs},
    {"higher_order.out_dtype(Any op, ScalarType output_dtype, ...) -> Any", kSubgraphs},
    {"higher_order.run_const_graph(...) -> ...", kSubgraphs},
    {"higher_order.strict_mode(...) -> ...", kSubgraphs},
    {"higher_order.tag_activation_checkpoint(...) -> ...", kSubgraphs},
    {"higher_order.wrap(...) -> ...", kSubgraphs},
    {"higher_order.wrap_activation_checkpoint(...) -> ...", kSubgraphs},
    {"higher_order.wrap_with_autocast(...) -> ...", kSubgraphs},
    {"higher_order.wrap_with_set_grad_enabled(...) -> ...", kSubgraphs},

    // Functional forms of operators: arguments that are written to are returned as results.
    {"higher_order.auto_functionalized(Any op, ...) -> ..."},
    {"higher_order.auto_functionalized_v2(Any op, ...) -> ..."},
    {"higher_order.triton_kernel_wrapper_functional(...) -> Any"},
    {"higher_order.triton_kernel_wrapper_mutation(...) -> ()", 0, Effect::kWritesArguments},

    // Attention with a score function; its graphs operate on scalars.
    {"higher_order.flex_attention(...) -> ...", kSubgraphs},
    {"higher_order.flex_attention_backward(...) -> ...", kSubgraphs},
    {"higher_order.inline_asm_elementwise(...) -> ...", kPointwise},

    // Random numbers and effects, in order.
    {"higher_order.graphsafe_run_with_rng_state(...) -> ...", kSubgraphs | kRandom},
    {"higher_order.run_and_save_rng_state(Any op, ...) -> ...", kSubgraphs | kRandom},
    {"higher_order.run_dtensor_rng_op(...) -> ...", kSubgraphs | kRandom},
    {"higher_order.run_with_rng_state(Tensor rng_state, Any op, ...) -> ...", kSubgraphs | kRandom},
    {"higher_order.with_effects(Tensor token, Any op, ...) -> ...", kSubgraphs, kState},
    {"higher_order.call_torchbind(Any obj, str method, ...) -> ...", 0, kState},
    {"higher_order.print(str format_str, ...) -> ()", 0, kState},
    {"higher_order._export_tracepoint(...) -> ...", 0, kState},

    // All effects.
    {"higher_order.aoti_call_delegate(...) -> ...", 0, Effects::all()},
    {"higher_order.custom_function_call(...) -> ...", 0, Effects::all()},
    {"higher_order.executorch_call_delegate(...) -> ...", 0, Effects::all()},
    {"higher_order.flat_apply(...) -> ...", 0, Effects::all()},
    {"higher_order.inductor_compiled_code(...) -> ...", 0, Effects::all()},
    {"higher_order.invoke_leaf_function(...) -> ...", 0, Effects::all()},
};

}  // namespace

constinit const std::span<const OpInfo> kHigherOrderOps(kHigherOrderRows);

}  // namespace fx::ops
