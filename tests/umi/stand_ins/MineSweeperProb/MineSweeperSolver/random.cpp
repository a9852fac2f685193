// Stand-in of the file of this name.
void SeedEngine() {}
