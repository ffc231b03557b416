// Private members of LLVM's classes for which there is no function. An explicit
// instantiation may name one, and a friend function returns the pointer to it.
#pragma once

namespace ptxpasses {

template <class Tag, typename Tag::Type Member> struct PrivateMember {
  friend typename Tag::Type pointerTo(Tag) { return Member; }
};

} // namespace ptxpasses

// Makes pointerTo(Tag()) return the pointer to Class::Member. The member's type
// comes last. Use it within namespace ptxpasses, as the instantiation must be
// there.
#define PTX_PRIVATE(Tag, Class, Member, ...)                                   \
  struct Tag {                                                                 \
    using Type = __VA_ARGS__ Class::*;                                         \
    friend Type pointerTo(Tag);                                                \
  };                                                                           \
  template struct PrivateMember<Tag, &Class::Member>
