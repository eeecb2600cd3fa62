import ArgumentParser
import OneSheetConfiguration
import PosterCodec

/// An output of `onesheet render`.
struct RenderOutput {
    let target: RenderTarget
    /// The requested sides of the box, before the device pixel ratio; `nil` if they follow from the original.
    let width, height: Int?

    private static let listLimit = 16

    static func all(_ settings: Settings, defaultFormat: OutputFormat) throws -> [RenderOutput] {
        let ratio = try settings.value("dpr", allowed: DevicePixelRatio.forms, parse: DevicePixelRatio.init) ?? .one
        let widths = try self.sides("width", settings, ratio)
        let heights = try self.sides("height", settings, ratio)
        let allowed = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
        let formats =
            try self.list("format", settings, allowed: allowed, parse: OutputFormat.init(rawValue:)) ?? [defaultFormat]
        let fit: RenderTarget.Fit = try settings.choice("fit") ?? .contain
        let position: RenderTarget.Position = try settings.choice("position") ?? .center
        let quality = try settings.value("quality", allowed: Quality.forms, parse: Quality.init) ?? .likeness(.auto)
        let background =
            try settings.value(
                "background", allowed: RenderTarget.Background.forms, parse: RenderTarget.Background.init(hex:))
            ?? .white
        let effort: RenderTarget.Effort = try settings.choice("effort") ?? .balanced
        return widths.flatMap { width in
            heights.flatMap { height in
                formats.map { format in
                    RenderOutput(
                        target: RenderTarget(
                            width: width.map(ratio.applied), height: height.map(ratio.applied), fit: fit,
                            position: position, format: format, quality: quality, background: background,
                            effort: effort),
                        width: width, height: height)
                }
            }
        }
    }

    /// Sides of the box, in CSS pixels; a single `nil` without the option.
    private static func sides(_ option: String, _ settings: Settings, _ ratio: DevicePixelRatio) throws -> [Int?] {
        let limit = CodecLimits.maxTargetSide
        let sides = try self.list(option, settings, allowed: "a whole number from 1 to \(limit)") { text in
            Int(text).flatMap { (1...limit).contains($0) ? $0 : nil }
        }
        guard let sides else { return [nil] }
        for side in sides where ratio.applied(to: side) > limit {
            throw SettingError(option: option, value: "\(side)", allowed: "at most \(limit) once multiplied by dpr")
        }
        return sides
    }

    /// The comma-separated values of an option; `nil` if it is absent.
    ///
    /// - Parameter allowed: The permitted form of one value.
    private static func list<Value: Hashable>(
        _ option: String, _ settings: Settings, allowed: String, parse: (String) -> Value?
    ) throws -> [Value]? {
        let forms = "\(allowed), or up to \(self.listLimit) different ones, separated by commas"
        return try settings.value(option, allowed: forms) { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let values = parts.prefix(self.listLimit).compactMap { parse(String($0)) }
            return values.count == parts.count && Set(values).count == values.count ? values : nil
        }
    }
}

/// The path of the outputs, with placeholders in braces.
struct OutputPattern {
    private let text: String
    /// The input's file name without its extension.
    private let name: String

    init(_ text: String, input: PictureInput) {
        self.text = text
        let file = input.isStandard ? "stdin" : input.path.split(separator: "/").last ?? ""
        self.name = String(file.lastIndex(of: ".").map { $0 > file.startIndex ? file[..<$0] : file } ?? file)
    }

    /// The format that the extension names.
    ///
    /// - Parameter isGiven: Whether `--format` names one, so that the extension need not.
    /// - Returns: JPEG for standard output, a device, a pipe, and `.{format}`.
    /// - Throws: `ValidationError` for a missing or unknown extension, and for formats that are not written.
    func format(isGiven: Bool) throws -> OutputFormat {
        guard !PictureOutput.isStream(self.text) else { return .jpeg }
        let written = "use .avif, .jpg, .jxl, .png or .webp"
        if let format = self.namedFormat { return format }
        switch self.fileExtension {
        case "{format}": return .jpeg
        case .some(let name) where Self.unwritten.contains(name):
            throw ValidationError("'\(self.text)': .\(name) files are not written; \(written)")
        case _ where isGiven: return .jpeg
        case .some(let name):
            throw ValidationError("'\(self.text)': .\(name) is no known format; \(written), or add --format")
        case nil:
            throw ValidationError("'\(self.text)' has no extension that names a format; \(written), or add --format")
        }
    }

    /// The format that the extension names; `nil` if it names none that is written.
    private var namedFormat: OutputFormat? {
        switch self.fileExtension {
        case "jpg", "jpeg", "jpe", "jfif": .jpeg
        case "png": .png
        case "webp": .webp
        case "avif": .avif
        case "jxl": .jxl
        default: nil
        }
    }

    /// In lower case, without the dot.
    private var fileExtension: String? {
        let file = self.text.split(separator: "/").last ?? ""
        return file.lastIndex(of: ".").flatMap { dot in
            dot > file.startIndex ? file[file.index(after: dot)...].lowercased() : nil
        }
    }

    /// Extensions of other picture formats.
    private static let unwritten: Set = [
        "apng", "bmp", "gif", "heic", "heif", "ico", "jp2", "pdf", "psd", "svg", "tif", "tiff",
    ]

    /// - Throws: ``ValidationError`` if several outputs would have the same path, or one a name of another format.
    func check(_ outputs: [RenderOutput]) throws {
        let needed = [
            ("{width}", Set(outputs.map(\.width)).count), ("{height}", Set(outputs.map(\.height)).count),
            ("{format}", Set(outputs.map(\.target.format)).count),
        ]
        let missing = needed.filter { $0.1 > 1 && !self.text.contains($0.0) }.map(\.0)
        guard !missing.isEmpty else { return try self.checkExtension(outputs) }
        throw ValidationError(
            "The output must contain \(missing.joined(separator: " and ")), so that the \(outputs.count) files have different names."
        )
    }

    private func checkExtension(_ outputs: [RenderOutput]) throws {
        guard !PictureOutput.isStream(self.text), !self.text.contains("{format}"), let named = self.namedFormat,
            let format = outputs.map(\.target.format).first(where: { $0 != named })
        else { return }
        throw ValidationError("--format \(format.rawValue) contradicts the extension .\(self.fileExtension ?? "")")
    }

    /// The path of an output.
    ///
    /// - Parameter size: The planned size, for sides that were not requested; `nil` leaves their placeholders.
    func path(of output: RenderOutput, size: OutputSize?) -> String {
        var values = ["{format}": output.target.format.rawValue, "{name}": self.name]
        values["{width}"] = (output.width ?? size?.width).map(String.init)
        values["{height}"] = (output.height ?? size?.height).map(String.init)
        var path = ""
        var rest = self.text[...]
        while let character = rest.first {
            if let value = values.first(where: { rest.hasPrefix($0.key) }) {
                path += value.value
                rest = rest.dropFirst(value.key.count)
            } else {
                path.append(character)
                rest = rest.dropFirst()
            }
        }
        return path
    }
}
