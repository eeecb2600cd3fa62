/// How much CPU time an encoder may take for fewer bytes at the same quality.
public enum EncodingEffort: UInt8, Hashable, Sendable, Codable {
    /// For a request that waits.
    case first
    /// For files that are served often, made when no request waits: the same quality in fewer bytes. PNG is not affected.
    case refined
}
