/// A fault in KOBIS' words; sent with status 200.
struct KOBISFault: Error, Hashable, Sendable {
    let code: String
    let message: String

    static let key = KOBISFault(code: "320010", message: "유효하지않은 키값입니다.")
    static let quota = KOBISFault(code: "320011", message: "하루동안 이용할 수 있는 횟수를 초과하였습니다.")

    /// Sent with status 404: KOBIS documents no fault for unknown paths.
    static let resource = KOBISFault(code: "320901", message: "존재하지 않는 서비스입니다.")

    /// - Parameter name: The Korean name of the missing value with its particle, such as `날짜는`.
    static func missing(_ name: String, _ parameter: String) -> KOBISFault {
        KOBISFault(code: "320102", message: "\(name) 필수항목입니다.\(Self.place(parameter, nil))")
    }

    /// The misspelling is KOBIS' own.
    static func date(_ value: String) -> KOBISFault {
        KOBISFault(code: "320103", message: "날싸형식에 맞게 입력하십시요.(YYYYMMDD)\(Self.place("targetDt", value))")
    }

    static func span(_ value: String) -> KOBISFault {
        KOBISFault(code: "320105", message: "주간/주말/주중 구분이 올바르지 않습니다.(0,1,2)\(Self.place("weekGb", value))")
    }

    static func number(_ parameter: String, _ value: String) -> KOBISFault {
        KOBISFault(code: "320104", message: "숫자형식에 맞게 입력하십시요.\(Self.place(parameter, value))")
    }

    private static func place(_ parameter: String, _ value: String?) -> String {
        "[parameterName=\(parameter),parameterValue=\(value ?? "null")]"
    }

    var document: OrderedJSON { ["faultInfo": ["message": .string(self.message), "errorCode": .string(self.code)]] }
}
