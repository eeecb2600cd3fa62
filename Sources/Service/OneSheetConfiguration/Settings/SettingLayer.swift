/// Where the value of an option came from; the first of these that has one wins.
package enum SettingLayer: Hashable {
    /// The option itself, with its dashes.
    case commandLine(option: String)
    case environment(variable: String)
    case file(path: String)
    /// Nobody set it.
    case `default`

    /// For people, after the value.
    var description: String {
        switch self {
        case .commandLine(let option): option
        case .environment(let variable): variable
        case .file(let path): path
        case .default: "default"
        }
    }

    /// For machines.
    var kind: String {
        switch self {
        case .commandLine: "flag"
        case .environment: "environment"
        case .file: "file"
        case .default: "default"
        }
    }
}
