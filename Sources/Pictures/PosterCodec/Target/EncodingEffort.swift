/// How much CPU time an encoder may spend for fewer bytes at the same quality.
public enum EncodingEffort: UInt8, Hashable, Sendable, Codable {
    /// For a request that waits for the file.
    case first
    /// For files that are served often, made while no request waits: the same quality in fewer bytes. Has no effect on
    /// PNG.
    case refined
}
