extension Sequence {
    /// Returns the elements in order, by the standard library's own code. `sorted(by:)` brings a copy of the algorithm for each
    /// type of element, 3.5 KB. Use that one where calls sort again and again.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] { sorted(by: precedes) }
}

extension Sequence where Element: Comparable {
    /// Returns the elements in order, as ``ordered(by:)`` does.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    package func ordered() -> [Element] { sorted() }
}
