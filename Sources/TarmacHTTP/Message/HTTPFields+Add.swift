package import HTTPTypes

extension HTTPFields {
    /// The largest number of fields from one source: a message from the wire, a stored entry, or the settings of a call. HTTPTypes ends
    /// the process at 65,535 fields, and the fields of several sources meet in one message.
    package static let sourceLimit = 16_384

    /// Appends a field of a list whose length is not Tarmac's choice.
    ///
    /// - Throws: an error with `code` if the list is full, or for a pseudo-field of HTTP/2, which ends the process too.
    package mutating func add(_ field: HTTPField, orThrow code: TarmacError.Code = .headersTooLarge) throws(TarmacError) {
        guard count < Self.sourceLimit else { throw Self.tooMany(code) }
        guard field.name.rawName.utf8.first != UInt8(ascii: ":") else {
            throw TarmacError(code, phase: Self.phase(code), "\(field.name.rawName) is not the name of a header field")
        }
        append(field)
    }

    /// - Throws: an error with `code` if the list is longer than one source may make it.
    package func checkCount(orThrow code: TarmacError.Code = .headersTooLarge) throws(TarmacError) {
        if count > Self.sourceLimit { throw Self.tooMany(code) }
    }

    private static func tooMany(_ code: TarmacError.Code) -> TarmacError {
        TarmacError(code, phase: phase(code), "the message has more than \(sourceLimit) header fields")
    }

    private static func phase(_ code: TarmacError.Code) -> TarmacError.Phase { code == .headersTooLarge ? .waiting : .building }
}

extension HTTPField {
    /// Returns a field made from strings. HTTPTypes silently turns CR and LF into spaces, so this method checks for
    /// them.
    package static func checked(_ name: String, _ value: String) throws(TarmacError) -> HTTPField {
        guard let fieldName = HTTPField.Name(name) else {
            throw TarmacError(
                .invalidParameter, "the header name \"\(name.filter { $0 >= " " })\" is not a token",
                suggestion: "use letters, digits and hyphens")
        }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw TarmacError(
                .invalidParameter, "the value of the header \(name) holds a control character",
                suggestion: "remove CR, LF and NUL from it")
        }
        return HTTPField(name: fieldName, value: value)
    }
}
