package import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore
package import TarmacMasking

/// The header fields that say who asks, or for whom, and that masking does not know as secrets: `X-User-Id`, `X-Tenant-Id`, `Ticket`.
///
/// A server whose response depends on such a field should name it in `Vary`; many do not. So their values are part of the key: a
/// response for one user must not answer another.
package enum CallerFields {
    /// Returns the fields of a request that say who asks, as the end of a principal's text, or `nil` if there are none.
    ///
    /// - Parameters:
    ///   - fields: the fields as they are sent.
    ///   - own: the fields of the call, if a name or an account identifies its principal: a key that the service sends with all calls
    ///     does not tell the callers of one principal apart. A name does, because a layer can be replaced.
    package static func text(of fields: HTTPFields, own: HTTPFields?, redactor: Redactor, digest: (String) -> String) -> (text: String, isDurable: Bool)? {
        var parts: [String] = [], isDurable = true
        for (field, kind) in counted(fields, own, redactor) {
            let name = field.name.canonicalName
            let value = kind == .secret ? digest(field.value) : field.value
            parts.append("\(name):\(value.utf8.count):\(value)")
            if kind == .secret { isDurable = false }
        }
        return parts.isEmpty ? nil : ("#" + parts.sorted().joined(separator: "#"), isDurable)
    }

    /// Returns the names of the fields that ``text(of:own:redactor:digest:)`` has.
    package static func names(of fields: HTTPFields, own: HTTPFields?, redactor: Redactor) -> [String] {
        Set(counted(fields, own, redactor).map(\.field.name.canonicalName)).sorted()
    }

    private static func counted(_ fields: HTTPFields, _ own: HTTPFields?, _ redactor: Redactor) -> [(field: HTTPField, kind: CallerName.Kind)] {
        fields.compactMap { field in
            guard let kind = kind(of: field.name), !redactor.isSecret(field.name) else { return nil }
            return kind == .secret && own?.contains(field.name) == false ? nil : (field, kind)
        }
    }

    /// Whether a field that an attempt interceptor has added or changed may say who asks. All users of a device share its name.
    package static func tellsApart(_ name: HTTPField.Name, _ redactor: Redactor) -> Bool {
        let kind = kind(of: name)
        return kind != .device && (kind != nil || redactor.isSecret(name))
    }

    /// Returns what a field says about who asks, or `nil` for nothing.
    package static func kind(of name: HTTPField.Name) -> CallerName.Kind? {
        if let known = memory.withLock({ $0[name.rawName] }) { return known }
        let kind = CallerName.kind(of: name.rawName)
        memory.withLock { memory in
            if memory.count >= maximumRemembered { memory.removeAll(keepingCapacity: true) }
            memory.updateValue(kind, forKey: name.rawName)
        }
        return kind
    }

    /// The names that were judged. A client sends the same few with each call.
    private static let memory = Locked<[String: CallerName.Kind?]>([:])
    private static let maximumRemembered = 256
}
