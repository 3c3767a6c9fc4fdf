extension Settings {
    /// The kernel's settings in the order in which `explain` prints them.
    static let ofKernel: [AnySetting] = [
        Settings.timeout, Settings.connectTimeout, Settings.queueTimeout, Settings.idleTimeout, Settings.deadline, Settings.slowCall,
        Settings.headers, Settings.userAgent, Settings.host, Settings.idempotencyKey,
        Settings.subPath, Settings.urlFilters, Settings.allowsInsecureHTTP, Settings.networkAccess,
        Settings.query, Settings.bodyFormat,
        Settings.parameters, Settings.parameterTransforms, Settings.priority, Settings.redirects, Settings.acceptsCompression,
        Settings.secretNames, Settings.shownNames, Settings.maximumBodySize, Settings.maximumInflatedSize, Settings.acceptableStatus,
        Settings.acceptableContentTypes, Settings.envelope, Settings.shape, Settings.decoder, Settings.encoder,
        Settings.cookies, Settings.interceptors, Settings.attemptInterceptors, Settings.observers, Settings.mapError, Settings.tags, Settings.userInfo,
        Settings.principal,
    ]
}
