// Private members of LLVM's classes, where there is no function for them:
// naming one in an explicit instantiation is allowed, and a friend function
// then hands the pointer to it out.
#pragma once

namespace ptxpasses {

template <class Tag, typename Tag::Type Member> struct PrivateMember {
  friend typename Tag::Type pointerTo(Tag) { return Member; }
};

} // namespace ptxpasses

// Makes pointerTo(Tag()) return the pointer to Class::Member. The member's type
// comes last. For use within namespace ptxpasses, as an instantiation has to
// be.
#define PTX_PRIVATE(Tag, Class, Member, ...)                                   \
  struct Tag {                                                                 \
    using Type = __VA_ARGS__ Class::*;                                         \
    friend Type pointerTo(Tag);                                                \
  };                                                                           \
  template struct PrivateMember<Tag, &Class::Member>
