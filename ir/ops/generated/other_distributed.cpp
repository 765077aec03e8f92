// The operators of PyTorch 2.13.0: distributed.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kDistributedRows[] = {
    {"_c10d_functional::all_gather_into_tensor(Tensor input, int group_size, Any group_name) -> "
     "Tensor"},
    {"_c10d_functional::all_gather_into_tensor_coalesced(Tensor[] inputs, int group_size, Any "
     "group_name) -> Tensor[]"},
    {"_c10d_functional::all_gather_into_tensor_out(Tensor input, int group_size, Any group_name, "
     "*, Tensor(a!) out) -> Tensor(a!)"},
    {"_c10d_functional::all_reduce(Tensor input, str reduce_op, Any group_name) -> Tensor"},
    {"_c10d_functional::all_reduce_(Tensor(a!) input, str reduce_op, Any group_name) -> Tensor(a!)"
    },
    {"_c10d_functional::all_reduce_coalesced(Tensor[] inputs, str reduce_op, Any group_name) -> "
     "Tensor[]"},
    {"_c10d_functional::all_reduce_coalesced_(Tensor[](a!) inputs, str reduce_op, Any group_name) "
     "-> Tensor[](a!)"},
    {"_c10d_functional::all_to_all_single(Tensor input, SymInt[] output_split_sizes, SymInt[] "
     "input_split_sizes, Any group_name) -> Tensor"},
    {"_c10d_functional::batch_p2p_ops(str[] op_list, int[] peer_list, int[] tag_list, Tensor[] "
     "tensors, str group_name) -> Tensor[]"},
    {"_c10d_functional::broadcast(Tensor input, int src, Any group_name) -> Tensor"},
    {"_c10d_functional::broadcast_(Tensor(a!) input, int src, Any group_name) -> Tensor(a!)"},
    {"_c10d_functional::irecv(Tensor tensor, int src, int tag, str group_name) -> Tensor"},
    {"_c10d_functional::isend(Tensor tensor, int dst, int tag, str group_name) -> Tensor"},
    {"_c10d_functional::reduce_scatter_tensor(Tensor input, str reduce_op, int group_size, Any "
     "group_name) -> Tensor"},
    {"_c10d_functional::reduce_scatter_tensor_coalesced(Tensor[] inputs, str reduce_op, int "
     "group_size, Any group_name) -> Tensor[]"},
    {"_c10d_functional::reduce_scatter_tensor_out(Tensor input, str reduce_op, int group_size, Any"
     " group_name, *, Tensor(a!) out) -> Tensor(a!)"},
    {"_c10d_functional::wait_tensor(Tensor tensor) -> Tensor"},
    {"_c10d_functional_autograd::all_gather_into_tensor(Tensor input, int group_size, Any "
     "group_name) -> Tensor"},
    {"_c10d_functional_autograd::all_to_all_single(Tensor input, SymInt[] output_split_sizes, "
     "SymInt[] input_split_sizes, Any group_name) -> Tensor"},
    {"_c10d_functional_autograd::reduce_scatter_tensor(Tensor input, str reduce_op, int "
     "group_size, Any group_name) -> Tensor"},
    {"_dtensor::shard_dim_alltoall(Tensor input, int gather_dim, int shard_dim, Any group_name) ->"
     " Tensor"},
    {"c10d::_allgather_base_(Tensor output_tensor, Tensor input_tensor, "
     "__torch__.torch.classes.c10d.ProcessGroup process_group, bool async_op=True, int timeout=-1)"
     " -> (Tensor, __torch__.torch.classes.c10d.Work)"},
    {"c10d::_reduce_scatter_base_(Tensor output_tensor, Tensor input_tensor, "
     "__torch__.torch.classes.c10d.ProcessGroup process_group, "
     "__torch__.torch.classes.c10d.ReduceOp reduce_op, bool async_op=True, int timeout=-1) -> "
     "(Tensor, __torch__.torch.classes.c10d.Work)"},
    {"c10d::allgather_(Tensor[][] output_tensors, Tensor[] input_tensors, "
     "__torch__.torch.classes.c10d.ProcessGroup process_group, bool async_op=True, int timeout=-1)"
     " -> (Tensor[][], __torch__.torch.classes.c10d.Work)"},
    {"c10d::allgather_coalesced_(Tensor[][] output_lists, Tensor[] input_list, "
     "__torch__.torch.classes.c10d.ProcessGroup process_group, bool async_op=True) -> "
     "__torch__.torch.classes.c10d.Work"},
    {"c10d::allgather_into_tensor_coalesced_(Tensor[] outputs, Tensor[] inputs, "
     "__torch__.torch.classes.c10d.ProcessGroup process_group, bool async_op=True) -> "
     "__torch__.torch.classes.c10d.Work"},
    {"c10d::allreduce_(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup process_group, "
     "__torch__.torch.classes.c10d.ReduceOp reduce_op, Tensor? sparse_indices, bool async_op=True,"
     " int timeout=-1) -> (Tensor[], __torch__.torch.classes.c10d.Work)"},
    {"c10d::allreduce_coalesced_(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup "
     "process_group, __torch__.torch.classes.c10d.ReduceOp reduce_op, bool async_op=True, int "
     "timeout=-1) -> __torch__.torch.classes.c10d.Work"},
    {"c10d::alltoall_(Tensor[] output_tensors, Tensor[] input_tensors, "
     "__torch__.torch.classes.c10d.ProcessGroup process_group, bool async_op=True, int timeout=-1)"
     " -> (Tensor[], __torch__.torch.classes.c10d.Work)"},
    {"c10d::alltoall_base_(Tensor output, Tensor input, __torch__.torch.classes.c10d.ProcessGroup "
     "process_group, int[] output_split_sizes, int[] input_split_sizes, bool async_op=True, int "
     "timeout=-1) -> __torch__.torch.classes.c10d.Work"},
    {"c10d::barrier(Tensor tensor, __torch__.torch.classes.c10d.ProcessGroup process_group, int[] "
     "device_ids, bool async_op=True, int timeout=-1) -> __torch__.torch.classes.c10d.Work"},
    {"c10d::broadcast_(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup process_group, "
     "int root_rank, int root_tensor, bool async_op=True, int timeout=-1) -> (Tensor[], "
     "__torch__.torch.classes.c10d.Work)"},
    {"c10d::check_for_nan(Tensor tensor) -> ()"},
    {"c10d::gather_(Tensor[][] output_tensors, Tensor[] input_tensors, "
     "__torch__.torch.classes.c10d.ProcessGroup process_group, int root_rank, bool async_op=True, "
     "int timeout=-1) -> __torch__.torch.classes.c10d.Work"},
    {"c10d::monitored_barrier_(Tensor tensor, __torch__.torch.classes.c10d.ProcessGroup "
     "process_group, int[] device_ids, int timeout, bool wait_all_ranks) -> ()"},
    {"c10d::recv_(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup process_group, int "
     "src, int tag) -> __torch__.torch.classes.c10d.Work"},
    {"c10d::recv_any_source_(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup "
     "process_group, int tag) -> __torch__.torch.classes.c10d.Work"},
    {"c10d::reduce_(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup process_group, "
     "__torch__.torch.classes.c10d.ReduceOp reduce_op, int root_rank, int root_tensor, bool "
     "async_op=True, int timeout=-1) -> __torch__.torch.classes.c10d.Work"},
    {"c10d::reduce_scatter_(Tensor[] output_tensors, Tensor[][] input_tensors, "
     "__torch__.torch.classes.c10d.ProcessGroup process_group, "
     "__torch__.torch.classes.c10d.ReduceOp reduce_op, bool async_op=True, int timeout=-1) -> "
     "(Tensor[], __torch__.torch.classes.c10d.Work)"},
    {"c10d::reduce_scatter_tensor_coalesced_(Tensor[] outputs, Tensor[] inputs, "
     "__torch__.torch.classes.c10d.ProcessGroup process_group, "
     "__torch__.torch.classes.c10d.ReduceOp reduce_op, bool async_op=True, int timeout=-1) -> "
     "__torch__.torch.classes.c10d.Work"},
    {"c10d::scatter_(Tensor[] output_tensors, Tensor[][] input_tensors, "
     "__torch__.torch.classes.c10d.ProcessGroup process_group, int root_rank, bool async_op=True, "
     "int timeout=-1) -> (Tensor[], __torch__.torch.classes.c10d.Work)"},
    {"c10d::send(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup process_group, int "
     "dst, int tag) -> __torch__.torch.classes.c10d.Work"},
    {"symm_mem::_async_input_mm(Tensor a, Tensor b, Tensor a_chunk_signals, int a_chunk_pivot) -> "
     "Tensor"},
    {"symm_mem::_barrier(__torch__.torch.classes.c10d.SymmetricMemory symm) -> ()"},
    {"symm_mem::_rendezvous(Tensor tensor, str? group_name=None) -> "
     "__torch__.torch.classes.c10d.SymmetricMemory"},
    {"symm_mem::all_to_all_vdev(Tensor input, Tensor(a!) out, Tensor in_splits, Tensor(a!) "
     "out_splits_offsets, str group_name) -> ()"},
    {"symm_mem::all_to_all_vdev_2d(Tensor input, Tensor(a!) out, Tensor in_splits, Tensor(a!) "
     "out_splits_offsets, str group_name, int? major_align=None) -> ()"},
    {"symm_mem::all_to_all_vdev_2d_offset(Tensor input, Tensor(a!) out, Tensor in_splits_offsets, "
     "Tensor(a!) out_splits_offsets, str group_name) -> ()"},
    {"symm_mem::memset32_(Tensor(a!) input, int offset, int val, int count) -> Tensor(a!)"},
    {"symm_mem::multi_root_tile_reduce(Tensor[] in_tiles, Tensor(a!) out_tile, int[] roots, str "
     "group_name, str reduce_op=\"sum\") -> ()"},
    {"symm_mem::multimem_all_gather_out(Tensor input, str group_name, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"symm_mem::multimem_all_reduce_(Tensor(a!) input, str reduce_op, str group_name) -> "
     "Tensor(a!)"},
    {"symm_mem::multimem_one_shot_all_reduce(Tensor input, str reduce_op, str group_name) -> "
     "Tensor"},
    {"symm_mem::multimem_one_shot_all_reduce_out(Tensor input, str reduce_op, str group_name, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"symm_mem::multimem_one_shot_reduce_out(Tensor input, str reduce_op, int root, str "
     "group_name, Tensor(a!) out) -> Tensor(a!)"},
    {"symm_mem::nccl_get(Tensor(a!) tensor, int peer) -> ()"},
    {"symm_mem::nccl_put(Tensor(a!) tensor, int peer) -> ()"},
    {"symm_mem::nccl_put_signal(Tensor src, __torch__.torch.classes.c10d.SymmetricMemory hdl, int "
     "peer) -> ()"},
    {"symm_mem::nccl_put_with_signal(Tensor(a) tensor, int signal, int peer) -> ()"},
    {"symm_mem::nccl_reduce_scatter_offset(Tensor input, Tensor(a!)[] out, str group_name, int "
     "dim, int[]? offsets=None, int[]? dst_ranks=None, str red_op=\"sum\") -> ()"},
    {"symm_mem::nccl_wait_for_signal(Tensor sigpad, int signal) -> ()"},
    {"symm_mem::nccl_wait_signal(__torch__.torch.classes.c10d.SymmetricMemory hdl, int peer) -> ()"
    },
    {"symm_mem::nvshmem_all_to_all(Tensor input, Tensor(a!) out, str group_name) -> Tensor(a!)"},
    {"symm_mem::nvshmem_broadcast(Tensor(a!) input, int root, str group_name) -> Tensor(a!)"},
    {"symm_mem::nvshmem_get(Tensor(a!) tensor, int peer) -> ()"},
    {"symm_mem::nvshmem_put(Tensor(a!) tensor, int peer) -> ()"},
    {"symm_mem::nvshmem_put_with_signal(Tensor(a) tensor, Tensor(a) sigpad, int signal, int peer) "
     "-> ()"},
    {"symm_mem::nvshmem_wait_for_signal(Tensor sigpad, int signal, int peer) -> ()"},
    {"symm_mem::one_shot_all_reduce(Tensor input, str reduce_op, str group_name) -> Tensor"},
    {"symm_mem::one_shot_all_reduce_copy(Tensor symm_buffer, Tensor local_input, str reduce_op, "
     "str group_name) -> Tensor"},
    {"symm_mem::one_shot_all_reduce_copy_out(Tensor symm_buffer, Tensor local_input, str "
     "reduce_op, str group_name, Tensor(a!) out) -> Tensor(a!)"},
    {"symm_mem::one_shot_all_reduce_out(Tensor input, str reduce_op, str group_name, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"symm_mem::reduce_scatter_out(Tensor(a!) input, str group_name, bool split_last_dim, "
     "Tensor(b!) output) -> Tensor(b!)"},
    {"symm_mem::stream_write_value32_(Tensor(a!) input, int offset, int val) -> Tensor(a!)"},
    {"symm_mem::tile_reduce(Tensor in_tile, Tensor(a!) out_tile, int root, str group_name, str "
     "reduce_op=\"sum\") -> ()"},
    {"symm_mem::two_shot_all_reduce_(Tensor(a!) input, str reduce_op, str group_name) -> "
     "Tensor(a!)"},
    {"symm_mem::two_shot_all_reduce_out(Tensor(a!) input, str reduce_op, str group_name, "
     "Tensor(b!) output) -> Tensor(b!)"},
};

extern const std::span<const OpInfo> kDistributedOps;
constinit const std::span<const OpInfo> kDistributedOps(kDistributedRows);

}  // namespace fx::ops
