#!/bin/sh
# Stands in for ptxas, nvlink and fatbinary of CUDA, which clang calls: what it is to write becomes the header of an ELF file for
# CUDA, as clang asks what kind of file it is.
write() {
  printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000\001\000\276\000' >"$1"
  head -c 44 /dev/zero >>"$1"
}
for argument; do
  case $previous in -o | --output-file | --create) write "$argument" ;; esac
  case $argument in --create=*) write "${argument#--create=}" ;; esac
  previous=$argument
done
