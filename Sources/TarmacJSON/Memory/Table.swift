/// A fixed number of elements on the heap, changed in place. An array stored in a class pays for an exclusivity check
/// and a count of references on each access, which is more than what is done with the element.
///
/// SAFETY: `base` holds `count` initialized elements from `init` to `deinit`; every access compares its place with
/// `count`. Not copyable, so nobody is left with the pointer after `deinit`. Sendable like an array: who shares a table
/// between threads must not change it, and those of this module are then `let`s of elements that nobody writes.
@safe struct Table<Element>: ~Copyable {
    private let base: UnsafeMutablePointer<Element>
    let count: Int

    init(repeating element: Element, count: Int) {
        self.count = count
        unsafe base = .allocate(capacity: max(count, 1))
        unsafe base.initialize(repeating: element, count: count)
    }

    init(_ elements: [Element]) {
        count = elements.count
        unsafe base = .allocate(capacity: max(count, 1))
        unsafe base.initialize(from: elements, count: count)
    }

    deinit {
        unsafe base.deinitialize(count: count)
        unsafe base.deallocate()
    }

    @inline(__always)
    subscript(place: Int) -> Element {
        unsafeAddress {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "no such place in a table")
            return unsafe UnsafePointer(base + place)
        }
        nonmutating unsafeMutableAddress {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "no such place in a table")
            return unsafe base + place
        }
    }

    /// Calls `body` with the elements of `range`.
    @inline(__always)
    func withElements<Result>(_ range: Range<Int>, _ body: (Span<Element>) throws -> Result) rethrows -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "no such places in a table")
        return try unsafe body(Span(_unsafeStart: base + range.lowerBound, count: range.count))
    }
}

// SAFETY: see above; its own pointer is all that keeps it from being Sendable like its elements.
extension Table: @unchecked Sendable where Element: Sendable {}
