extension Tape {
    @inline(__always)
    func bool(at index: Int) -> Bool? {
        switch self[index].kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// Returns the number at `index` if it is whole and fits `T`; nil otherwise, and for other values.
    @inline(__always)
    func integer<T: FixedWidthInteger>(at index: Int, as type: T.Type) -> T? {
        let word = self[index]
        return word.isNumber ? withText(of: word) { NumberReader.integer($0, as: type) } : nil
    }

    /// Returns the number at `index`; nil for other values and beyond the range of `Double`.
    @inline(__always)
    func double(at index: Int) -> Double? {
        let word = self[index]
        return word.isNumber ? withText(of: word) { NumberReader.double($0) } : nil
    }
}
