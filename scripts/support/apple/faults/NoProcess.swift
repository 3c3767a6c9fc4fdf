// expected on ios, tvos, watchos, visionos: 'Process' is unavailable in
import Foundation

func run() throws { try Process().run() }
