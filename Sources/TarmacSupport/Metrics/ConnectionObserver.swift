import TarmacCore

/// Learns of the connections that requests use. A stage attaches it to a request; a transport that does not see its connections ignores it.
package protocol ConnectionObserver: Sendable {
    /// Called when the state of a connection has changed, in the order of its changes, and without a lock.
    ///
    /// - Parameters:
    ///   - old: the state before; `nil` for a connection that is new to the observer.
    ///   - new: the state now; `nil` for a connection that has closed.
    func connection(to peer: ConnectionPeer, changed old: ConnectionState?, into new: ConnectionState?)
}

/// Whether a connection carries a request.
package enum ConnectionState: String, Sendable { case active, idle }

/// The other end of a connection, and the version of HTTP.
package struct ConnectionPeer: Hashable, Sendable {
    package let scheme: String
    /// The host of the requests, the proxy that forwards them, or the path of a Unix socket.
    package let host: String
    /// The port, or `nil` for a Unix socket.
    package let port: Int?
    /// The version, such as `1.1`.
    package let version: String

    package init(scheme: String, host: String, port: Int?, version: String) {
        (self.scheme, self.host, self.port, self.version) = (scheme, host, port, version)
    }
}

package struct ConnectionObservation: Attachment {
    package let observer: any ConnectionObserver
    package init(_ observer: any ConnectionObserver) { self.observer = observer }
}
