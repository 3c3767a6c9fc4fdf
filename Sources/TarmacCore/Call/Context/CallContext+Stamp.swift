import HTTPTypes

extension CallContext {
    /// Returns the request with the service's credentials and header fields, if it goes to one of the service's
    /// origins.
    package func stamped(_ request: Request) -> Request {
        let fields = options.serviceFields, credentials = options.fixedCredentials
        if fields.isEmpty && credentials == nil || !runtime.scope.owns(request.url.origin) { return request }
        var request = request
        credentials?.authorize(&request)
        for field in fields where !request.headers.contains(field.name) { request.headers.append(field) }
        return request
    }
}
