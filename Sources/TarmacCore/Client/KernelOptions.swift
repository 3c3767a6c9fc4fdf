/// The kernel's settings in the order in which `explain` prints them.
enum KernelOptions {
    static let all: [any OptionKey.Type] = [
        Timeout.self, ConnectTimeout.self, QueueTimeout.self, IdleTimeout.self, Deadline.self, SlowCall.self,
        Headers.self, UserAgentOption.self, HostOption.self, IdempotencyKeyOption.self,
        SubPathOption.self, URLFilters.self, AllowsInsecureHTTP.self, NetworkAccessOption.self,
        QueryOption.self, BodyFormatOption.self,
        CommonParameters.self, ParameterTransforms.self, PriorityOption.self, Redirects.self, AcceptsCompression.self,
        SecretNamesOption.self, ShownNamesOption.self, MaximumBodySize.self, MaximumInflatedSize.self, AcceptableStatusOption.self,
        AcceptableContentTypesOption.self, EnvelopeOption.self, ShapeOption.self, DecoderOption.self, EncoderOption.self,
        CookiesOption.self, Interceptors.self, AttemptInterceptors.self, Observers.self, MapError.self, Tags.self, UserInfoOption.self, PrincipalOption.self,
    ]
}
