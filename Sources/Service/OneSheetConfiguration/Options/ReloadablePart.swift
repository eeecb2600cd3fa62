/// What a running server takes over from a configuration that is read again.
package enum ReloadablePart: CaseIterable {
    case logLevel
    case origins
    /// The file's content, that is; whether there are admin routes is settled at the start.
    case adminToken
    /// The files' content, too; which files they are is settled at the start.
    case certificate
    /// What may be asked for, with the signing keys that are in the file.
    case pictures

    /// The options that it comes from.
    var options: Set<String> {
        switch self {
        case .logLevel: ["log-level"]
        case .origins: ["origin", "origin-header"]
        case .adminToken: ["admin-token-file"]
        case .certificate: []
        case .pictures:
            [
                "widths", "heights", "snap-widths", "client-hints", "sign-key-file", "require-signatures", "allow-url",
                "effort",
            ]
        }
    }
}
