import HTTPTypes

/// The header fields of one layer. They merge per name with the layers below.
///
/// ```swift
/// options.headers["X-App-Version"] = "3.2.0"
/// options.headers.remove("X-Debug")          // also when a lower layer sets it
/// ```
/// Names and values are checked before anything is sent. One with CR, LF or NUL throws `TarmacError(.invalidParameter)`.
public struct HeaderSettings: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private struct Setting: Sendable, Hashable {
        let name: String
        /// The name's code, which finds it among many names.
        let code: UInt
        /// The values of the field. An empty array removes the field.
        var values: [String]
    }
    private var settings: [Setting] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The first value that this layer sets. Set `nil` to inherit from the layers below.
    public subscript(name: String) -> String? {
        get { place(of: name, name.code).flatMap { settings[$0].values.first } }
        set { replace(name, with: newValue.map { [$0] }) }
    }

    /// Adds another field of the same name.
    public mutating func append(_ name: String, _ value: String) {
        let code = name.code
        if let place = place(of: name, code) { return settings[place].values.append(value) }
        settings.append(Setting(name: name, code: code, values: [value]))
    }

    /// Removes the field, even if a layer below sets it.
    public mutating func remove(_ name: String) { replace(name, with: []) }

    private mutating func replace(_ name: String, with values: [String]?) {
        let code = name.code
        switch (place(of: name, code), values) {
        case (let place?, let values?): settings[place] = Setting(name: name, code: code, values: values)
        case (let place?, nil): settings.remove(at: place)
        case (nil, let values?): settings.append(Setting(name: name, code: code, values: values))
        case (nil, nil): break
        }
    }

    private func place(of name: String, _ code: UInt) -> Int? { settings.firstIndex { $0.code == code && $0.name.matches(name) } }

    func merged(over lower: HeaderSettings) -> HeaderSettings {
        var result = lower
        for setting in settings { result.replace(setting.name, with: setting.values) }
        return result
    }

    /// The names of the fields to remove.
    var removed: [String] { settings.filter(\.values.isEmpty).map(\.name) }

    /// The names without values, which may be secrets. A minus sign marks a field to remove.
    var names: [String] { settings.map { $0.values.isEmpty ? "−\($0.name)" : $0.name } }

    /// Returns the fields after checking each.
    func fields() throws(TarmacError) -> HTTPFields {
        var fields = HTTPFields()
        for setting in settings {
            for value in setting.values { try fields.add(HTTPField.checked(setting.name, value), orThrow: .invalidParameter) }
        }
        return fields
    }

    /// The first fault of a name or value, or `nil`.
    var fault: TarmacError? { if case .failure(let error) = Result(catching: fields) { error } else { nil } }
}

extension HeaderSettings: MaskedReflectable {
    /// The names of the fields, with a minus sign for those to remove. It never contains a value, which may be a
    /// secret.
    public var description: String { "[\(names.joined(separator: ", "))]" }
}

extension String {
    /// A hash that is the same for names that differ in case only.
    fileprivate var code: UInt { utf8.reduce(5381) { $0 &* 33 ^ UInt($1 | 0x20) } }

    /// Compares without the case of ASCII letters. A name with other letters is no name of a field.
    fileprivate func matches(_ name: String) -> Bool {
        utf8.count == name.utf8.count
            && utf8.elementsEqual(name.utf8) { $0 == $1 || $0 ^ $1 == 0x20 && (0x61...0x7A).contains($0 | 0x20) }
    }
}
