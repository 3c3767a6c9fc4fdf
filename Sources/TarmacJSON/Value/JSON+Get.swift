extension JSON {
    /// Returns the value at the end of a path as `T`.
    ///
    /// ```swift
    /// let id = try json.get("data", "items", 3, "id", as: Int.self)
    /// let user: User = try json.get("user")
    /// ```
    /// - Parameters:
    ///   - path: The steps from this value; no steps mean this value itself.
    ///   - type: Any `Decodable`. An optional type returns nil if the value is null or missing.
    /// - Throws: ``JSONError`` with the full path in the document: `.missing`, `.typeMismatch` or `.notRepresentable`.
    ///   Finding the error walks over the preceding values. If many values may be missing, use `int` or `string`. For a
    ///   built or edited value, the error has the path from this value and quotes nothing: its keys are only known in
    ///   part, and it has no text position.
    public func get<T: Decodable>(_ path: JSONPath.Component..., as type: T.Type = T.self) throws(JSONError) -> T {
        try get(JSONPath(path), as: type)
    }

    /// Returns the value at the end of a path as `T`; see ``get(_:as:)``.
    package func get<T: Decodable>(_ path: JSONPath, as type: T.Type = T.self) throws(JSONError) -> T {
        let place = self[path]
        do { return try value(at: place, as: type) } catch { throw isBuilt ? located(error, of: place, at: path) : error }
    }

    /// Returns an error about a part of a built value, with the path in that value. The original error of a value from
    /// a document has its old path.
    private func located(_ error: JSONError, of place: JSON, at steps: JSONPath) -> JSONError {
        var located = JSONError(error.code, expected: error.expected, found: error.found)
        if place.isMissing {
            located.path = JSONPath(Array(steps.components.prefix(reach(of: steps) + 1)))
        } else {
            located.path = steps.appending(Array(error.path.components.dropFirst(place.path.components.count)))
        }
        let value = self[located.path]
        if !value.isMissing, error.code != .missing { located.found = value.inWords }
        return located
    }

    /// Returns the number of steps of a path that lead to a value.
    private func reach(of path: JSONPath) -> Int {
        var (place, count) = (self, 0)
        for step in path.components {
            place = place.child(step)
            if place.isMissing { break }
            count += 1
        }
        return count
    }

    private func value<T: Decodable>(at place: JSON, as type: T.Type) throws(JSONError) -> T {
        if place.isMissing, let optional = type as? any ExpressibleByNilLiteral.Type, type != JSON.self {
            // `optional` is `T` itself, seen as another type.
            if let nothing = optional.init(nilLiteral: ()) as? T { return nothing }
        }
        if let scalar = place.scalar(as: type) { return scalar }
        guard !place.isMissing else {
            throw place.missingError(expected: "\(type)")
        }
        do {
            return try TarmacJSONDecoder().decode(type, from: place)
        } catch let error as DecodingError {
            throw error.jsonError(at: place, as: type)
        } catch {
            // The text of the type's error may quote a secret.
            throw (error as? JSONError) ?? place.error(.notRepresentable, expected: "\(type)")
        }
    }
}

extension JSON {
    /// Returns the error of a missing value, with the path after the last existing value.
    func missingError(expected: String) -> JSONError {
        guard case .missing(let missing) = node else { return error(.missing, expected: expected) }
        var error = missing.origin.error(.missing, expected: expected)
        error.path.append(missing.step)
        error.found = "nothing"
        return error
    }

    /// Returns an error about this value that does not quote it.
    func error(_ code: JSONError.Code, expected: String) -> JSONError {
        switch node {
        case .view(let storage, let index): storage.error(code, at: index, expected: expected, quotes: false)
        default: JSONError(code, path: path, expected: expected)
        }
    }

    /// Decodes the common types without a decoder; nil where the general way must find the value or the error.
    fileprivate func scalar<T>(as type: T.Type) -> T? {
        if type == String.self { return string as? T }
        if type == Int.self { return int as? T }
        if type == Double.self { return double as? T }
        if type == Bool.self { return bool as? T }
        if type == JSON.self { return self as? T }
        return nil
    }
}

extension DecodingError {
    /// Returns the error as a ``JSONError``. Errors of this module's decoder contain it.
    fileprivate func jsonError(at place: JSON, as type: Any.Type) -> JSONError {
        let context: Context
        var code = JSONError.Code.typeMismatch
        switch self {
        case .typeMismatch(_, let inner), .valueNotFound(_, let inner): context = inner
        case .keyNotFound(_, let inner): (context, code) = (inner, .missing)
        case .dataCorrupted(let inner): (context, code) = (inner, .notRepresentable)
        @unknown default: return JSONError(code, path: place.path, expected: "\(type)")
        }
        if let error = context.underlyingError as? JSONError { return error }
        let steps = context.codingPath.map { key in
            key.intValue.map(JSONPath.Component.index) ?? .key(key.stringValue)
        }
        // The text about an invalid value may quote it, and it may be a secret.
        let found = code == .notRepresentable ? nil : context.debugDescription
        return JSONError(code, path: place.path.appending(steps), expected: "\(type)", found: found)
    }
}
