import TarmacJSON

/// Every built-in setting with a value: the defaults, and what the layers made of them.
struct OptionValues: Sendable {
    var timeout = TimeLimit.seconds(60)
    var connectTimeout = TimeLimit.seconds(10)
    var queueTimeout = TimeLimit.unlimited
    var idleTimeout = TimeLimit.seconds(60)
    var deadline = TimeLimit.unlimited
    var slowCall = TimeLimit.unlimited
    var headers = HeaderSettings()
    var userAgent = UserAgent.standard
    var host = HostKind.origin
    var failover = FailoverRule.automatic
    var retry = RetryRule.never
    var idempotencyKey = IdempotencyKey.off
    var hedge = HedgeRule.off
    var events = EventStreamRule.reconnecting
    var waitsForConnectivity = false
    var circuitBreaker = CircuitBreakerRule.off
    var rateLimit = RateLimitRule.off
    var subPath = ""
    var urlFilters: [any URLFilter] = []
    var allowsInsecureHTTP = false
    var allowsCellularAccess = true
    var allowsExpensiveNetworkAccess = true
    var allowsConstrainedNetworkAccess = true
    var query = QueryEncoder()
    var bodyFormat = BodyFormat.json
    var parameters = ParameterList()
    var parameterTransforms: [any ParameterTransform] = []
    var priority = CallPriority.normal
    var coalesces = false
    var cookies = CookieHandling.off
    var redirects = RedirectRule.follow
    var acceptsCompression = true
    var maximumBodySize = 64 << 20
    var maximumInflatedSize = 256 << 20
    var maximumRecordSize = 16 << 20
    var acceptableStatus = AcceptableStatus.success
    var acceptableContentTypes = AcceptableContentTypes.automatic
    var envelope = Envelope.none
    var checksEnvelope = true
    var shape = Shape.any
    var decoder = BodyDecoder.tarmac
    var encoder = BodyEncoder.tarmac
    var encryption = PayloadEncryption.off
    var signing = RequestSigning.off
    var verification = ResponseVerification.off
    var interceptors: [any Interceptor] = []
    var attemptInterceptors: [any Interceptor] = []
    var observers: [any EventObserver] = []
    var mapError: [ErrorMapping] = []
    var secretNames: Set<String> = []
    var presenter: any Presenter = .off
    var presentationHost = PresentationHost.owner
    var showsLoading = true
    var presentsErrors = true
    var hooks: [CallHooks] = []
    var tags: Set<CallTag> = []
    var userInfo = UserInfo()
    var authenticator = Authentication.off
    var principal = ""
    var custom: [ObjectIdentifier: any Sendable] = [:]

    static let standard = OptionValues()
}
