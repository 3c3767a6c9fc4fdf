/// A fixed number of elements on the heap, changed in place. An array stored in a class costs an exclusivity check
/// and reference counting for each access, which is more than the work on the element.
///
/// SAFETY: `base` holds `count` initialized elements from `init` to `deinit`; every access compares its place with
/// `count`. Not copyable, so no copy has the pointer after `deinit`. Sendable like an array: a table shared between threads
/// must not change, and those of this module are then `let`s whose elements are not written.
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

// SAFETY: see above; only its pointer prevents the compiler from treating it as Sendable like its elements.
extension Table: @unchecked Sendable where Element: Sendable {}
