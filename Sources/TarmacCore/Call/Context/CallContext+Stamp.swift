import HTTPTypes

extension CallContext {
    /// A part of a coded body, and a stream that may be resumed, cannot be decoded by itself.
    private func allows(_ standard: HTTPField, in request: Request) -> Bool {
        standard.name != .acceptEncoding || delivery.isBuffered && !request.headers.contains(.range)
    }

    /// Returns the request with the service's credentials and header fields, if it goes to one of the service's
    /// origins.
    package func stamped(_ request: Request) -> Request {
        let fields = options.serviceFields, credentials = options.fixedCredentials
        if fields.isEmpty && credentials == nil || !runtime.scope.owns(request.url.origin) { return request }
        var request = request
        credentials?.authorize(&request)
        for field in fields where !request.headers.contains(field.name) { request.headers.append(field) }
        // A field of the service takes the place of a standard one that the request has only because nobody above named it.
        for standard in options.replacedFields where request.headers[standard.name] == standard.value && allows(standard, in: request) {
            request.headers[fields: standard.name] = fields[fields: standard.name]
        }
        return request
    }
}
