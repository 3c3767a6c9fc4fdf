import Foundation
import TarmacCore

/// The destination of the bytes of a response.
enum Sink {
    case gathering(BodyGatherer)
    case streaming(StreamBuffer)
}
