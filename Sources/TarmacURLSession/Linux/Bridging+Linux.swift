#if !canImport(Darwin)
import Foundation

func foundationError(_ error: any Error) -> NSError { error as NSError }
#endif
