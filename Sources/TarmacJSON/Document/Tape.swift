/// The index of a document together with the bytes it speaks of: what every reader reads.
///
/// SAFETY: two bare pointers without an owner. A `Tape` is only handed to code that holds the
/// `DocumentStorage` (or, while a fault is reported, the indexer's buffers) for as long. Indices come
/// from the tape itself, so they are in bounds because the indexer wrote them.
struct Tape {
    let bytes: UnsafePointer<UInt8>
    let words: UnsafePointer<UInt64>
    /// Words in use. After them, in a document's tape, stands one more: a null for what is not there.
    let count: Int

    @inline(__always)
    subscript(index: Int) -> TapeWord {
        TapeWord(bits: words[index])
    }

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

    /// The text of a scalar as written; of a string, what stands between the quotes.
    @inline(__always)
    func text(of word: TapeWord) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + word.offset, count: word.extent)
    }

    /// The byte range of the value at `index`, quotes and brackets included.
    func byteRange(of index: Int) -> Range<Int> {
        let word = self[index]
        return word.isContainer ? word.offset..<endOffset(ofContainer: index) : scalarRange(of: index)
    }

    /// The byte range of a string, number or literal, quotes included.
    func scalarRange(of index: Int) -> Range<Int> {
        let word = self[index]
        return word.isString
            ? word.offset - 1..<word.offset + word.extent + 1 : word.offset..<word.offset + word.extent
    }

    /// One past the closing bracket. The tape does not store it: the bracket is the first one after
    /// the last value inside, because only whitespace can stand between them.
    private func endOffset(ofContainer index: Int) -> Int {
        let word = self[index]
        let last = lastChild(of: index)
        var offset = last.map { byteRange(of: $0).upperBound } ?? word.offset + 1
        let closing: UInt8 = word.kind == .object ? 0x7D : 0x5D
        while bytes[offset] != closing { offset += 1 }
        return offset + 1
    }

    private func lastChild(of container: Int) -> Int? {
        let isObject = self[container].kind == .object
        let end = end(of: container)
        var child = container + 1
        var last: Int?
        while child < end {
            if isObject { child += 1 }
            last = child
            child = next(after: child)
        }
        return last
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
