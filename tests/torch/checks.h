// The checks of check_graphs, each with the arguments that follow its name. They return status 1 if
// there is a finding.
#pragma once

namespace fx {

int check_passes(int argc, char** argv);
int check_functionalize(int argc, char** argv);
int check_gradients(int argc, char** argv);
int check_symbolic(int argc, char** argv);
int check_partition(int argc, char** argv);

}  // namespace fx
