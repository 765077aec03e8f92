# Each graph runs the next one twice: 2^40 runs of the innermost (../nested_twice.test).
graph(%x : f32[2, 3]) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
graph @g(%x) {
%y = aten.relu_.default(%x)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
%a = higher_order.wrap(@g, %x)
%y = higher_order.wrap(@g, %a)
return %y
}
