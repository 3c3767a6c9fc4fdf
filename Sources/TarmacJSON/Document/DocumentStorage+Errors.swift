extension DocumentStorage {
    /// Returns one error about the value at `index`; code that creates many keeps a ``ValueLocator``.
    func error(_ code: JSONError.Code, at index: Int, expected: String?, quotes: Bool = true) -> JSONError {
        let locator = ValueLocator(self)
        return locator.error(code, at: index, expected: expected, quotes: quotes)
    }
}
