extension Shape {
    /// Checks a value and everything below it.
    ///
    /// ```swift
    /// do { try shape.check(document.root) } catch { print(error) }
    /// // shape mismatch: expected string, found number 7 at $.data.tags[2], line 4, column 17 (offset 81)
    /// ```
    /// - Throws: ``JSONError`` with the path of the first fault in the order of the shape, the
    ///   expected shape and the value found.
    public func check(_ json: JSON) throws(JSONError) {
        switch json.node {
        case .view(let storage, let index):
            if let fault = ShapeCheck(program: program, storage: storage).fault(at: index) {
                throw fault.error(in: storage)
            }
        case .missing:
            if program.nodes[0].isOptional { return }
            var error = json.missingError(expected: summary)
            error.code = .shapeMismatch
            throw error
        default:
            let document = try JSONDocument(json.bytes(), options: .built)
            try check(document.root)
        }
    }

    /// Checks the root of a document; see ``check(_:)-(JSON)``.
    package func check(_ document: JSONDocument) throws(JSONError) {
        try check(document.root)
    }

    /// Whether a value has this shape.
    package func matches(_ json: JSON) -> Bool {
        if case .view(let storage, let index) = json.node {
            return ShapeCheck(program: program, storage: storage, explains: false).fault(at: index) == nil
        }
        do {
            try check(json)
            return true
        } catch {
            return false
        }
    }
}
