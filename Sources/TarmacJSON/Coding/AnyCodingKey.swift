/// A coding key from the content of a document.
struct AnyCodingKey: CodingKey, Hashable {
    let stringValue: String
    let intValue: Int?

    init(_ key: String) {
        stringValue = key
        intValue = nil
    }

    init(_ component: JSONPath.Component) {
        switch component {
        case .key(let key): self.init(key)
        case .index(let index): self.init(intValue: index)
        }
    }

    init(stringValue: String) {
        self.init(stringValue)
    }

    /// Creates a key for a position, spelled as in Foundation.
    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }

    static let superKey = AnyCodingKey("super")
}
