/* fxcpp's C interface: libfxcpp_c.so.
 *
 *   fxc_context context; fxc_graph graph; int changed;
 *   if (fxc_context_create(NULL, &context) != FXC_OK) puts(fxc_message());
 *   fxc_graph_read(context, "model.fx", &graph);
 *   fxc_run_passes(graph, "eliminate_dead_code", NULL, &changed);
 *   fxc_context_destroy(context);          // also destroys its graphs
 *
 * The interface requires neither C++ nor exceptions nor run-time type information, and hides
 * fxcpp's LLVM and Abseil. It is for programs that cannot use the C++ interface.
 *
 * Errors. A function that can fail returns an fxc_status; fxc_message() returns the message of the
 * last error in this thread. Unless stated otherwise, a function that returns an error changes
 * nothing and does not set its results. The library does not throw C++ exceptions, and callbacks
 * must not throw.
 *
 * Handles are numbers stored in pointers, and are checked on each use. NULL, a handle of a
 * different kind, a destroyed object and an object of a different context are errors. A context
 * owns its graphs, types and values; a graph owns its nodes. Destroying an object invalidates the
 * handles of all objects that it owns. The handle of a nested graph is valid until passes run on a
 * graph that contains it, or that graph is destroyed.
 *
 * Threads. A context and its objects belong to one thread: the thread that created the context or
 * that last called fxc_context_take. Calls from other threads return FXC_WRONG_THREAD. Threads with
 * different contexts do not affect each other.
 *
 * Strings that functions return end with a NUL byte. They are valid until the next call to a
 * function of this interface in the same thread.
 *
 * The first member of a struct is its size, which the caller must set to sizeof, since a later
 * release may append members. Functions, constants and members are never removed or changed; later
 * releases only add them. fxc_abi_version() counts the additions.
 */
#ifndef FX_C_FXCPP_H
#define FX_C_FXCPP_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FXC_API __attribute__((visibility("default")))
#else
#define FXC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define FXC_ABI_VERSION 1

/* Names follow the conventions of C. NOLINTBEGIN(readability-identifier-naming) */
typedef struct fxc_context_handle* fxc_context;
typedef struct fxc_graph_handle* fxc_graph;
typedef struct fxc_node_handle* fxc_node;
typedef struct fxc_type_handle* fxc_type; /* the type of a value; NULL if unknown */
typedef struct fxc_value_handle*
    fxc_value; /* an argument: a constant, a node, or a list of these */

typedef enum fxc_status {
  FXC_OK = 0,
  FXC_NULL_ARGUMENT = 1, /* a pointer or handle is NULL */
  FXC_BAD_HANDLE = 2,    /* not a handle, or a handle of a different kind */
  FXC_DESTROYED = 3,     /* the object was destroyed */
  FXC_WRONG_CONTEXT = 4, /* objects of different contexts or graphs */
  FXC_WRONG_THREAD = 5,  /* the context belongs to a different thread */
  FXC_IN_USE = 6,        /* the library is using the object, for example during a callback */
  FXC_OUT_OF_RANGE = 7,  /* an index or enumerator is too large */
  FXC_BAD_STRUCT = 8,    /* a struct_size is invalid */
  FXC_INVALID_ARGUMENT = 9,
  FXC_NOT_FOUND = 10,
  FXC_ALREADY_EXISTS = 11,
  FXC_FAILED_PRECONDITION = 12,
  FXC_UNIMPLEMENTED = 13,
  FXC_RESOURCE_EXHAUSTED = 14,
  FXC_INTERNAL = 15
} fxc_status;

typedef enum fxc_opcode {
  FXC_PLACEHOLDER = 0,
  FXC_GET_ATTR = 1,
  FXC_CALL_FUNCTION = 2,
  FXC_CALL_METHOD = 3,
  FXC_CALL_MODULE = 4,
  FXC_OUTPUT = 5
} fxc_opcode;

/* Some kinds have no accessor; fxc_value_text returns the text of any value. */
typedef enum fxc_value_kind {
  FXC_NONE = 0,
  FXC_BOOL = 1,
  FXC_INT = 2,
  FXC_FLOAT = 3,
  FXC_STRING = 4,
  FXC_NODE = 5,
  FXC_LIST = 6,
  FXC_TUPLE = 7, /* includes named tuples */
  FXC_DICT = 8,
  FXC_OTHER = 9
} fxc_value_kind;

/* ---- The library and errors */

/* Returns the library's FXC_ABI_VERSION, which is at least that of the header. */
FXC_API uint32_t fxc_abi_version(void);
FXC_API const char* fxc_release(void); /* "0.1.0"; always valid */
/* Returns the message of the last error in this thread, or "". Valid until the next error. */
FXC_API const char* fxc_message(void);
FXC_API const char* fxc_status_name(fxc_status status); /* "FXC_OK"; always valid */

/* ---- Contexts */

typedef struct fxc_context_options {
  size_t struct_size;
  const char* const* plugins; /* the paths of plugins (docs/plugins.md) */
  size_t num_plugins;
} fxc_context_options;

/* `options` may be NULL. */
FXC_API fxc_status fxc_context_create(const fxc_context_options* options, fxc_context* context);
FXC_API fxc_status fxc_context_destroy(fxc_context context);
/* Makes this thread the owner of the context. Returns FXC_IN_USE while a different thread is
 * running a function on it. */
FXC_API fxc_status fxc_context_take(fxc_context context);
/* Adds an operator: `mylib::pool(Tensor x, int size=2) -> Tensor`. */
FXC_API fxc_status fxc_add_operator(fxc_context context, const char* schema);
/* Sets `*result` to the type of a call with arguments of these types. The type of an argument that
 * is not a value is NULL. A status other than FXC_OK means that the call is invalid; the library
 * copies `*reason`. */
typedef fxc_status (*fxc_type_function)(void* user, const fxc_type* arguments, size_t num_arguments,
                                        fxc_type* result, const char** reason);
FXC_API fxc_status fxc_add_type_function(fxc_context context, const char* op,
                                         fxc_type_function function, void* user);

/* ---- Types */

FXC_API fxc_status fxc_type_parse(fxc_context context, const char* text, fxc_type* type);
FXC_API fxc_status fxc_type_text(fxc_type type, const char** text);
FXC_API fxc_status fxc_type_is_tensor(fxc_type type, int* is_tensor);
/* The dtype of a tensor, "float32", and its rank, or -1 if it is unknown. Return
 * FXC_FAILED_PRECONDITION for other types. */
FXC_API fxc_status fxc_type_dtype(fxc_type type, const char** dtype);
FXC_API fxc_status fxc_type_rank(fxc_type type, int64_t* rank);
/* Sets `*size` to a size, or to -1 if it is symbolic, and `*text`, unless `text` is NULL, to its
 * text. */
FXC_API fxc_status fxc_type_size(fxc_type type, int64_t dim, int64_t* size, const char** text);
FXC_API fxc_status fxc_type_equal(fxc_type a, fxc_type b, int* equal);

/* ---- Values: constants and lists, for arguments and metadata */

FXC_API fxc_status fxc_value_none(fxc_context context, fxc_value* value);
FXC_API fxc_status fxc_value_bool(fxc_context context, int truth, fxc_value* value);
FXC_API fxc_status fxc_value_int(fxc_context context, int64_t number, fxc_value* value);
FXC_API fxc_status fxc_value_float(fxc_context context, double number, fxc_value* value);
FXC_API fxc_status fxc_value_string(fxc_context context, const char* text, fxc_value* value);
FXC_API fxc_status fxc_value_dtype(fxc_context context, const char* name, fxc_value* value);
FXC_API fxc_status fxc_value_node(fxc_node node, fxc_value* value);
/* `kind` is FXC_LIST or FXC_TUPLE. */
FXC_API fxc_status fxc_value_sequence(fxc_context context, fxc_value_kind kind,
                                      const fxc_value* items, size_t num_items, fxc_value* value);
FXC_API fxc_status fxc_value_destroy(fxc_value value);
FXC_API fxc_status fxc_value_kind_of(fxc_value value, fxc_value_kind* kind);
/* These return FXC_FAILED_PRECONDITION for a value of a different kind. */
FXC_API fxc_status fxc_value_as_bool(fxc_value value, int* truth);
FXC_API fxc_status fxc_value_as_int(fxc_value value, int64_t* number);
FXC_API fxc_status fxc_value_as_float(fxc_value value, double* number);
FXC_API fxc_status fxc_value_as_string(fxc_value value, const char** text);
FXC_API fxc_status fxc_value_as_node(fxc_value value, fxc_node* node);
FXC_API fxc_status fxc_value_size(fxc_value value, size_t* num_items);
FXC_API fxc_status fxc_value_item(fxc_value value, size_t index, fxc_value* item);
FXC_API fxc_status fxc_value_key(fxc_value value, size_t index, fxc_value* key); /* for a dict */
FXC_API fxc_status fxc_value_text(fxc_value value, const char** text);

/* ---- Graphs */

FXC_API fxc_status fxc_graph_create(fxc_context context, fxc_graph* graph);
FXC_API fxc_status fxc_graph_destroy(fxc_graph graph);
FXC_API fxc_status fxc_graph_clone(fxc_graph graph, fxc_graph* copy);
FXC_API fxc_status fxc_graph_context(fxc_graph graph, fxc_context* context);
/* Parse `.fx` text or interchange JSON. */
FXC_API fxc_status fxc_graph_parse(fxc_context context, const char* text, size_t size,
                                   fxc_graph* graph);
FXC_API fxc_status fxc_graph_parse_json(fxc_context context, const char* text, size_t size,
                                        fxc_graph* graph);
/* Read and write files in the formats that fxcpp supports, with modules and tensors. */
FXC_API fxc_status fxc_graph_read(fxc_context context, const char* path, fxc_graph* graph);
/* Sets `*left_out`, unless `left_out` is NULL, to a description of the parts that the file does not
 * contain, or to "". */
FXC_API fxc_status fxc_graph_write(fxc_graph graph, const char* path, const char** left_out);
/* `preset` is "fx", "canonical", "numbered", "torch" or "tabular". `size` may be NULL. */
FXC_API fxc_status fxc_graph_text(fxc_graph graph, const char* preset, const char** text,
                                  size_t* size);
FXC_API fxc_status fxc_graph_json(fxc_graph graph, const char** text, size_t* size);
FXC_API fxc_status fxc_graph_hash(fxc_graph graph, uint64_t hash[2]);
/* Returns FXC_FAILED_PRECONDITION, with all errors in the message, for an invalid graph. */
FXC_API fxc_status fxc_graph_verify(fxc_graph graph);

FXC_API fxc_status fxc_graph_num_nodes(fxc_graph graph, size_t* count);
/* Set `*node` to the first node, the node with this name or the output; NULL if there is none. */
FXC_API fxc_status fxc_graph_first(fxc_graph graph, fxc_node* node);
FXC_API fxc_status fxc_graph_find(fxc_graph graph, const char* name, fxc_node* node);
FXC_API fxc_status fxc_graph_output(fxc_graph graph, fxc_node* node);
FXC_API fxc_status fxc_graph_num_subgraphs(fxc_graph graph, size_t* count);
FXC_API fxc_status fxc_graph_subgraph(fxc_graph graph, size_t index, fxc_graph* nested);
FXC_API fxc_status fxc_graph_subgraph_name(fxc_graph graph, size_t index, const char** name);

/* fxc_graph_insert_before sets the insert point to a node, or to the end of the graph if `node` is
 * NULL. The other functions create a node before the insert point, which is the end by default, and
 * set `*node` to it unless `node` is NULL. */
FXC_API fxc_status fxc_graph_insert_before(fxc_graph graph, fxc_node node);
FXC_API fxc_status fxc_graph_add(fxc_graph graph, fxc_opcode op, const char* target,
                                 const fxc_value* args, size_t num_args,
                                 const char* const* keywords, const fxc_value* keyword_args,
                                 size_t num_keywords, fxc_node* node);
FXC_API fxc_status fxc_graph_add_input(fxc_graph graph, const char* name, fxc_type type,
                                       fxc_node* node);
FXC_API fxc_status fxc_graph_add_output(fxc_graph graph, fxc_value result, fxc_node* node);
FXC_API fxc_status fxc_graph_erase(fxc_node node); /* the node must have no users */

/* ---- Nodes */

FXC_API fxc_status fxc_node_graph(fxc_node node, fxc_graph* graph);
FXC_API fxc_status fxc_node_opcode(fxc_node node, fxc_opcode* op);
FXC_API fxc_status fxc_node_name(fxc_node node, const char** name);
FXC_API fxc_status fxc_node_target(fxc_node node, const char** target);
FXC_API fxc_status fxc_node_type(fxc_node node, fxc_type* type);
FXC_API fxc_status fxc_node_next(fxc_node node, fxc_node* next);         /* NULL at the end */
FXC_API fxc_status fxc_node_previous(fxc_node node, fxc_node* previous); /* NULL at the start */
FXC_API fxc_status fxc_node_num_args(fxc_node node, size_t* count);
FXC_API fxc_status fxc_node_arg(fxc_node node, size_t index, fxc_value* value);
FXC_API fxc_status fxc_node_num_keywords(fxc_node node, size_t* count);
FXC_API fxc_status fxc_node_keyword(fxc_node node, size_t index, const char** name,
                                    fxc_value* value);
FXC_API fxc_status fxc_node_num_users(fxc_node node, size_t* count);
FXC_API fxc_status fxc_node_user(fxc_node node, size_t index, fxc_node* user);
/* Returns FXC_NOT_FOUND if the node has no such entry. */
FXC_API fxc_status fxc_node_meta(fxc_node node, const char* key, fxc_value* value);

FXC_API fxc_status fxc_node_rename(fxc_node node, const char* candidate);
FXC_API fxc_status fxc_node_set_target(fxc_node node, const char* target);
FXC_API fxc_status fxc_node_set_type(fxc_node node, fxc_type type); /* NULL if unknown */
FXC_API fxc_status fxc_node_set_arg(fxc_node node, size_t index, fxc_value value);
FXC_API fxc_status fxc_node_set_keyword(fxc_node node, const char* name, fxc_value value);
FXC_API fxc_status fxc_node_set_meta(fxc_node node, const char* key, fxc_value value);
FXC_API fxc_status fxc_node_replace_uses(fxc_node node, fxc_value value);
FXC_API fxc_status fxc_node_move_before(fxc_node node, fxc_node anchor);

/* ---- Passes and types */

typedef struct fxc_pass_options {
  size_t struct_size;
  int32_t max_rounds;    /* repeat the pipeline while it changes the graph; 0 and 1 mean once */
  int32_t check_changed; /* if not 0, check that passes report changes truthfully */
} fxc_pass_options;

/* Runs passes in the syntax of `fxcpp opt --passes`. `options` and `changed` may be NULL. After an
 * error in a pass, the graph may have been changed. */
FXC_API fxc_status fxc_run_passes(fxc_graph graph, const char* pipeline,
                                  const fxc_pass_options* options, int* changed);
/* Describes the passes and their options as `fxcpp passes` does. */
FXC_API fxc_status fxc_describe_passes(fxc_context context, const char** text);
/* Infers the type of each call from the types of the inputs. Sets `*num_findings` to the number of
 * calls that are invalid or have no type function, and `*findings` to their description. Both
 * pointers may be NULL. */
FXC_API fxc_status fxc_propagate_types(fxc_graph graph, size_t* num_findings,
                                       const char** findings);

/* ---- Interpretation with callbacks, on the caller's values */

typedef struct fxc_call_handle* fxc_call; /* valid during the callback that receives it */

typedef struct fxc_interpreter {
  size_t struct_size;
  void* user;
  /* Computes a call or a get_attr. Must set `*result` and return FXC_OK, or return an error; the
   * library copies `*reason` unless it is NULL. The callback must not change the graph. */
  fxc_status (*evaluate)(void* user, fxc_call call, fxc_node node, void** result,
                         const char** reason);
  /* Called when a result of `evaluate` will not be used again and is not a result of the graph. The
   * pointer may be NULL. */
  void (*release)(void* user, void* value);
} fxc_interpreter;

/* Runs the graph. There must be an input for each placeholder. The results are the values in the
 * graph's result, from left to right; constants are NULL. If `capacity` is less than the number of
 * results, sets `*num_results`, releases the results and returns FXC_OUT_OF_RANGE. */
FXC_API fxc_status fxc_interpret(fxc_graph graph, void* const* inputs, size_t num_inputs,
                                 const fxc_interpreter* interpreter, void** results,
                                 size_t capacity, size_t* num_results);
/* Set `*value` to the caller's value for an argument that is a node or, if the argument is a list
 * or tuple, for its item `item`; otherwise, `item` must be -1. Return FXC_FAILED_PRECONDITION for a
 * constant, which fxc_node_arg reads. */
FXC_API fxc_status fxc_call_arg(fxc_call call, size_t index, int64_t item, void** value);
FXC_API fxc_status fxc_call_keyword(fxc_call call, const char* name, int64_t item, void** value);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* FX_C_FXCPP_H */
