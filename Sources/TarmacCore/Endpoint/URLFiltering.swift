/// Runs the filters of a call to one of the service's own hosts. Each filter receives the result of the one
/// before.
struct URLFiltering {
    let filters: [any URLFilter]
    let target: ParameterTarget
    let owns: (WebOrigin) -> Bool

    func filtered(_ url: HTTPURL) throws(TarmacError) -> HTTPURL {
        var result = url
        for filter in filters { result = try run(filter, on: result) }
        return result
    }

    private func run(_ filter: any URLFilter, on url: HTTPURL) throws(TarmacError) -> HTTPURL {
        let result: HTTPURL
        do { result = try filter.filter(url, for: target) } catch let error as TarmacError { throw error } catch {
            throw TarmacError(.callerFailed, "the URL filter \(type(of: filter)) threw \(type(of: error))", cause: error)
        }
        guard owns(result.origin) else {
            throw TarmacError(
                .invalidURL, "the URL filter \(type(of: filter)) leads \(url) to \(result.origin), which is no host of the service",
                suggestion: "add it to the service's Hosts, or call an absolute URL")
        }
        // A URL that the filter made from a text does not know which part of its path is a secret.
        return url.hidesPath && !result.hidesPath ? result.showing(path: HTTPURL.hiddenPath) : result
    }
}
