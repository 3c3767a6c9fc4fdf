import HTTPTypes

extension CallContext {
    /// Returns the request with the service's credentials and header fields, if it goes to one of the service's
    /// origins. Elsewhere it has the standard fields.
    package func stamped(_ request: Request) -> Request {
        let fields = options.serviceFields, credentials = options.fixedCredentials
        if fields.isEmpty && credentials == nil { return request }
        guard runtime.scope.owns(request.url.origin) else {
            return options.replacedFields.isEmpty ? request : request.adding(options.replacedFields)
        }
        var request = request
        credentials?.authorize(&request)
        return request.adding(fields)
    }
}

extension Request {
    /// Returns the request with the fields that it does not name. Those of one name follow each other.
    fileprivate consuming func adding(_ fields: HTTPFields) -> Request {
        var last: HTTPField.Name?
        for field in fields where field.name == last || !headers.contains(field.name) {
            last = field.name
            // A part of a coded body cannot be decoded by itself (RFC 9110 §14.2).
            let isPart = field.name == .acceptEncoding && headers.contains(.range)
            headers.append(isPart ? HTTPField(name: .acceptEncoding, value: "identity") : field)
        }
        return self
    }
}
