// Stand-in of the file of this name.
extern "C" void CacheBinomials(int, int) {}
