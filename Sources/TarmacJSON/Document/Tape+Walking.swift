extension Tape {
    /// The place after the value at `index` and all below it.
    @inline(__always)
    func next(after index: Int) -> Int {
        index &+ self[index].stride
    }

    /// One past the last word of the container at `index`.
    @inline(__always)
    func end(of index: Int) -> Int {
        index &+ self[index].extent
    }

    /// Where the value's text begins, quote included.
    func startOffset(of index: Int) -> Int {
        self[index].isString ? self[index].offset - 1 : self[index].offset
    }

    /// The byte range of a string, number or literal, quotes included.
    func scalarRange(of index: Int) -> Range<Int> {
        let word = self[index]
        return word.isString
            ? word.offset - 1..<word.offset + word.extent + 1 : word.offset..<word.offset + word.extent
    }

    /// How many elements or members the container at `index` has; walks over them.
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
