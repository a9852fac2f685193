// Stand-in of the file of this name.
#include "facade.hpp"
Configuration parse(const char *) { return {}; }
bool run(const Configuration &) { return true; }
void cache(const Configuration &) {}
