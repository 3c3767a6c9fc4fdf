import TarmacCore

/// The indications a client shows now, counted by presenter and host.
@MainActor
final class LoadingIndicators {
    fileprivate struct Key: Hashable {
        let presenter: ObjectIdentifier
        let host: ObjectIdentifier?
    }

    /// One indication, and how many calls it stands for.
    final class Indicator {
        fileprivate let key: Key
        fileprivate let presenter: any Presenter
        fileprivate let loading: Loading
        fileprivate var count = 0

        fileprivate init(_ key: Key, _ presenter: any Presenter, _ loading: Loading) {
            self.key = key
            self.presenter = presenter
            self.loading = loading
        }
    }

    private var shown: [Key: Indicator] = [:]
    private var nextID = 1

    nonisolated init() {}

    /// How many indications are shown.
    var count: Int { shown.count }

    /// Counts one more call in; the first begins the indication.
    func begin(_ presenter: any Presenter, on host: (any ObjectReference)?) -> Indicator {
        let key = Key(presenter: presenter.identity, host: host?.id)
        // A host or presenter that is gone may have left its identity to a new one, which gets an indication of its own.
        if let indicator = shown[key], !indicator.presenter.isGone, host == nil || indicator.loading.host != nil {
            indicator.count += 1
            return indicator
        }
        let indicator = Indicator(key, presenter, Loading(id: nextID, reference: host))
        nextID += 1
        indicator.count = 1
        shown[key] = indicator
        presenter.loadingBegan(indicator.loading)
        return indicator
    }

    /// Counts one call out; the last ends the indication.
    func end(_ indicator: Indicator) {
        indicator.count -= 1
        guard indicator.count == 0 else { return }
        if shown[indicator.key] === indicator { shown[indicator.key] = nil }
        indicator.presenter.loadingEnded(indicator.loading)
    }
}
