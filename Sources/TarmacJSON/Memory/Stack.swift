/// A stack whose elements are changed in place. An array stored in a class costs an exclusivity check for each access,
/// which took a fifth of encoding.
///
/// SAFETY: `header.base` has room for `capacity` elements, of which the first `count` are initialized; every access
/// compares its place with `count`. Not copyable, so no copy has the pointers after `deinit`.
@safe struct Stack<Element>: ~Copyable {
    @unsafe private struct Header {
        var base: UnsafeMutablePointer<Element>
        var count = 0
        var capacity: Int
    }

    private let header: UnsafeMutablePointer<Header>

    init(capacity: Int) {
        unsafe header = .allocate(capacity: 1)
        unsafe header.initialize(to: Header(base: .allocate(capacity: capacity), capacity: capacity))
    }

    deinit {
        unsafe header.pointee.base.deinitialize(count: header.pointee.count)
        unsafe header.pointee.base.deallocate()
        unsafe header.deallocate()
    }

    @inline(__always)
    var count: Int { unsafe header.pointee.count }

    @inline(__always)
    subscript(place: Int) -> Element {
        unsafeAddress {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "no such place on a stack")
            return unsafe UnsafePointer(header.pointee.base + place)
        }
        nonmutating unsafeMutableAddress {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "no such place on a stack")
            return unsafe header.pointee.base + place
        }
    }

    @inline(__always)
    func append(_ element: Element) {
        if unsafe header.pointee.count == header.pointee.capacity { grow() }
        unsafe (header.pointee.base + header.pointee.count).initialize(to: element)
        unsafe header.pointee.count &+= 1
    }

    @inline(__always)
    func removeLast(_ number: Int = 1) {
        guard number > 0 else { return }
        precondition(number <= count, "more elements than there are")
        unsafe header.pointee.count &-= number
        unsafe (header.pointee.base + header.pointee.count).deinitialize(count: number)
    }

    @inline(never)
    private func grow() {
        let capacity = unsafe header.pointee.capacity * 2
        let moved = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        unsafe moved.moveInitialize(from: header.pointee.base, count: count)
        unsafe header.pointee.base.deallocate()
        unsafe header.pointee.base = moved
        unsafe header.pointee.capacity = capacity
    }
}
