// expected on ios, watchos: non-Sendable type 'XMLParser'
import Foundation

func parse(_ parser: XMLParser) { let work: @Sendable () -> Bool = { parser.parse() } ; _ = work }
