#if NIO
import HTTPTypes
import NIOHTTP1
import TarmacCore

/// Converts NIO's response fields to those of HTTPTypes and keeps the names. A server repeats the same names in
/// the same order, and checking and lower-casing them again would be most of the work.
struct HeaderConversion {
    private var known: [HTTPField.Name] = []

    /// Returns the fields in the order of arrival, with repeated fields separate. A field with an invalid name
    /// is omitted.
    mutating func fields(_ headers: HTTPHeaders, isHTTP2: Bool = false) -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(headers.count)
        var position = 0
        for (rawName, value) in headers {
            defer { position += 1 }
            // NIO adds this field so that an HTTP/2 response looks like one of HTTP/1.
            if isHTTP2, rawName == "transfer-encoding" { continue }
            guard let name = name(rawName, at: position) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    private mutating func name(_ rawName: String, at position: Int) -> HTTPField.Name? {
        if position < known.count, known[position].rawName == rawName { return known[position] }
        guard let name = HTTPField.Name(rawName) else { return nil }
        if position < known.count { known[position] = name } else if position < 32 { known.append(name) }
        return name
    }
}
#endif
