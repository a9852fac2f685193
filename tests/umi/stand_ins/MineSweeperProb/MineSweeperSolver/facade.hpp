// Stand-in of the header of this name.
struct Configuration {};
Configuration parse(const char *name);
bool run(const Configuration &asked);
void cache(const Configuration &asked);
