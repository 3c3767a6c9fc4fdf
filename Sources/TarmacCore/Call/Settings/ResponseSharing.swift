/// How a setting affects calls that share one response.
public enum ResponseSharing: Sendable {
    /// Calls share a response regardless of their values.
    case unaffected
    /// Calls share a response only if their values are equal.
    case compared
    /// A call whose endpoint or own layer sets the key shares no response, because its values cannot be compared.
    case exclusive
}

/// The settings that two calls must have in common to share a response.
package struct ResponseIdentity: Hashable, Sendable {
    // SAFETY: constant, and made of descriptions and Sendable values of settings.
    private nonisolated(unsafe) let settings: Set<AnyHashable>

    package init(_ options: ResolvedOptions) {
        var settings: Set<AnyHashable> = []
        for layer in options.layers {
            for entry in layer.options.entries.values where entry.sharing == .compared {
                if let identity = entry.sharedIdentity(in: options.values) { settings.insert(identity) }
            }
        }
        self.settings = settings
    }
}

extension ResolvedOptions {
    /// Whether endpoint or call set something that cannot be compared, so that the call shares no response.
    package var sharesNoResponse: Bool {
        layers.contains { layer in
            layer.origin.isOfCall
                && layer.options.entries.values.contains {
                    // An attempt interceptor of the service can read the settings of other modules.
                    $0.sharing == .exclusive || !values.attemptInterceptors.isEmpty && $0.isReadByApps
                }
        }
    }
}
