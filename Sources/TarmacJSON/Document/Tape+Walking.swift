extension Tape {
    /// Returns the place after the value at `index` and everything below it.
    @inline(__always)
    func next(after index: Int) -> Int {
        index &+ self[index].stride
    }

    /// Returns the place after the last word of the container at `index`.
    @inline(__always)
    func end(of index: Int) -> Int {
        index &+ self[index].extent
    }

    /// Returns the start of the value's text, including the quote.
    func startOffset(of index: Int) -> Int {
        self[index].isString ? self[index].offset - 1 : self[index].offset
    }

    /// Returns the byte range of a string, number or literal, including quotes.
    func scalarRange(of index: Int) -> Range<Int> {
        let word = self[index]
        return word.isString
            ? word.offset - 1..<word.offset + word.extent + 1 : word.offset..<word.offset + word.extent
    }

    /// Returns the number of elements or members of the container at `index` by a walk over them.
    func childCount(of index: Int) -> Int {
        let end = end(of: index)
        let keyWords = self[index].kind == .object ? 1 : 0
        var child = index + 1
        var count = 0
        while child < end {
            child = next(after: child &+ keyWords)
            count &+= 1
        }
        return count
    }
}
