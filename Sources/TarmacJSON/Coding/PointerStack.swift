/// A stack whose elements are changed in place through a pointer. A stored array of a class pays for an
/// exclusivity check on each access, which took a fifth of encoding.
///
/// SAFETY: `header.base` holds `capacity` elements' room, of which the first `count` are initialized.
/// Indices are checked in debug builds only; all come from `count`. Whoever made the stack calls ``free()``
/// last. Copies share the elements.
struct PointerStack<Element> {
    private struct Header {
        var base: UnsafeMutablePointer<Element>
        var count = 0
        var capacity: Int
    }

    private let header: UnsafeMutablePointer<Header>

    init(capacity: Int) {
        header = .allocate(capacity: 1)
        header.initialize(to: Header(base: .allocate(capacity: capacity), capacity: capacity))
    }

    func free() {
        removeLast(count)
        header.pointee.base.deallocate()
        header.deallocate()
    }

    @inline(__always)
    var count: Int { header.pointee.count }

    @inline(__always)
    subscript(index: Int) -> Element {
        unsafeAddress {
            assert(index >= 0 && index < count)
            return UnsafePointer(header.pointee.base + index)
        }
        nonmutating unsafeMutableAddress {
            assert(index >= 0 && index < count)
            return header.pointee.base + index
        }
    }

    @inline(__always)
    func append(_ element: Element) {
        if header.pointee.count == header.pointee.capacity { grow() }
        (header.pointee.base + header.pointee.count).initialize(to: element)
        header.pointee.count &+= 1
    }

    @inline(__always)
    func removeLast(_ number: Int = 1) {
        guard number > 0 else { return }
        header.pointee.count &-= number
        (header.pointee.base + header.pointee.count).deinitialize(count: number)
    }

    /// Takes one element out; those above move down.
    func remove(at index: Int) {
        for position in index..<(count - 1) { self[position] = self[position + 1] }
        removeLast()
    }

    @inline(never)
    private func grow() {
        let capacity = header.pointee.capacity * 2
        let moved = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        moved.moveInitialize(from: header.pointee.base, count: count)
        header.pointee.base.deallocate()
        header.pointee.base = moved
        header.pointee.capacity = capacity
    }
}
