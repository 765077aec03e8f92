// The dialect in which MLIR represents the graphs of families.h: pure operations, one shared type,
// literals as properties.
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Peer_Dialect : Dialect {
  let name = "peer";
  let cppNamespace = "::fx::bench::peer";
  let usePropertiesForAttributes = 1;
}

class Peer_Op<string mnemonic> : Op<Peer_Dialect, mnemonic, [Pure]> {
  let results = (outs AnyType:$result);
}

def AddOp : Peer_Op<"add"> { let arguments = (ins AnyType:$a, AnyType:$b); }
def MulOp : Peer_Op<"mul"> { let arguments = (ins AnyType:$a, AnyType:$b); }
def ReluOp : Peer_Op<"relu"> { let arguments = (ins AnyType:$x); }
def FusedOp : Peer_Op<"fused"> { let arguments = (ins AnyType:$y, AnyType:$a, AnyType:$b); }
def ParameterOp : Peer_Op<"parameter"> { let arguments = (ins StrAttr:$path); }
def LayerNormOp : Peer_Op<"layer_norm"> {
  let arguments = (ins AnyType:$x, AnyType:$weight, AnyType:$bias, DenseI64ArrayAttr:$shape,
                       F64Attr:$eps, BoolAttr:$cudnn);
}
def LinearOp : Peer_Op<"linear"> {
  let arguments = (ins AnyType:$x, AnyType:$weight, AnyType:$bias);
}
def MatmulOp : Peer_Op<"matmul"> { let arguments = (ins AnyType:$a, AnyType:$b); }
def TransposeOp : Peer_Op<"transpose"> {
  let arguments = (ins AnyType:$x, I64Attr:$dim0, I64Attr:$dim1);
}
def SoftmaxOp : Peer_Op<"softmax"> {
  let arguments = (ins AnyType:$x, I64Attr:$dim, I64Attr:$dtype);
}
def ViewOp : Peer_Op<"view"> { let arguments = (ins AnyType:$x, DenseI64ArrayAttr:$shape); }
def DropoutOp : Peer_Op<"dropout"> {
  let arguments = (ins AnyType:$x, F64Attr:$p, BoolAttr:$train);
}
def AddScaledOp : Peer_Op<"add_scaled"> {
  let arguments = (ins AnyType:$a, AnyType:$b, I64Attr:$alpha);
}
